/**
 * Every method of the exec-server's protocol, once: its direction, the names of its params and of its result.
 * Names are those of the schemas in this folder; `@turnkit/protocol/validate` has a validator for each.
 */
export const ExecMethods = {
  clientRequests: {
    initialize: { params: "ExecInitializeParams", result: "ExecInitializeResponse" },
    "environment/info": { params: "ExecUnitParams", result: "ExecEnvironmentInfo" },
    "environment/status": { params: "ExecUnitParams", result: "ExecEnvironmentStatus" },
    "environmentConfig/read": { params: "EnvironmentConfigReadParams", result: "EnvironmentConfigReadResponse" },
    "capabilityRoots/discoverV1": {
      params: "CapabilityRootsDiscoverParams",
      result: "CapabilityRootsDiscoverResponse",
    },
    "process/start": { params: "ProcessStartParams", result: "ProcessStartResponse" },
    "process/read": { params: "ProcessReadParams", result: "ProcessReadResponse" },
    "process/write": { params: "ProcessWriteParams", result: "ProcessWriteResponse" },
    "process/signal": { params: "ProcessSignalParams", result: "ExecEmptyResponse" },
    "process/terminate": { params: "ProcessTerminateParams", result: "ProcessTerminateResponse" },
    "process/resize": { params: "ProcessResizeParams", result: "ProcessResizeResponse" },
    "process/closeStdin": { params: "ProcessCloseStdinParams", result: "ProcessWriteResponse" },
    "fs/readFile": { params: "ExecReadFileParams", result: "ExecReadFileResponse" },
    "fs/writeFile": { params: "ExecWriteFileParams", result: "ExecEmptyResponse" },
    "fs/createDirectory": { params: "ExecCreateDirectoryParams", result: "ExecEmptyResponse" },
    "fs/getMetadata": { params: "ExecGetMetadataParams", result: "ExecGetMetadataResponse" },
    "fs/canonicalize": { params: "ExecCanonicalizeParams", result: "ExecCanonicalizeResponse" },
    "fs/readDirectory": { params: "ExecReadDirectoryParams", result: "ExecReadDirectoryResponse" },
    "fs/walk": { params: "ExecWalkParams", result: "ExecWalkResponse" },
    "fs/remove": { params: "ExecRemoveParams", result: "ExecEmptyResponse" },
    "fs/copy": { params: "ExecCopyParams", result: "ExecEmptyResponse" },
    "fs/open": { params: "ExecOpenFileParams", result: "ExecOpenFileResponse" },
    "fs/readBlock": { params: "ExecReadBlockParams", result: "ExecReadBlockResponse" },
    "fs/close": { params: "ExecCloseFileParams", result: "ExecEmptyResponse" },
    "http/request": { params: "HttpRequestParams", result: "HttpRequestResponse" },
  },
  serverRequests: {},
  /** The params of `initialized` are ignored, whatever they are. */
  clientNotifications: { initialized: {} },
  serverNotifications: {
    "process/output": { params: "ProcessOutputNotification" },
    "process/exited": { params: "ProcessExitedNotification" },
    "process/closed": { params: "ProcessClosedNotification" },
    "http/request/bodyDelta": { params: "HttpBodyDeltaNotification" },
  },
} as const;

export type ExecRequestMethod = keyof (typeof ExecMethods)["clientRequests"];
export type ExecNotificationMethod = keyof (typeof ExecMethods)["serverNotifications"];
