/** How permissions are described to the model, in the tools that take them. */
const paths = (access: string) => ({
  type: "array",
  description: `Absolute paths to ${access}; leave it out when there are none.`,
  items: { type: "string" },
});

const PROPERTIES = {
  file_system: {
    type: "object",
    description: "Files and folders to be reached.",
    properties: { read: paths("read"), write: paths("write") },
    additionalProperties: false,
  },
  network: {
    type: "object",
    description: "Whether the network is needed.",
    properties: { enabled: { type: "boolean", description: "true asks for the network; anything else does not." } },
    additionalProperties: false,
  },
};

export const permissionParameters = (description: string) => ({
  type: "object",
  description,
  properties: PROPERTIES,
  additionalProperties: false,
});
