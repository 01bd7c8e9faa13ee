/**
 * view_image: puts a local image in front of the model. Owns the arguments and the errors; the image is judged and
 * shrunk where history is prepared.
 */
import { functionHookPayload, parseArguments, withFunctionArguments } from "./arguments.js";
import { FileError, type FileSystem } from "./file-system/file-system.js";
import { type CallContext, RespondToModel, type Tool, type ToolCall, type ToolOutput, type ToolTurn } from "./tool.js";

const NAME = "view_image";
/** Larger files are refused before they are read. */
const MAX_BYTES = 1024 ** 3;

export interface ViewImageOptions {
  readonly files: FileSystem;
  readonly resolvePath: (base: string, path: string) => string;
  /** false: the model of this turn cannot look at images. */
  readonly modelSeesImages: (turn: ToolTurn) => boolean;
  /** Reports that an image was looked at. */
  readonly viewed: (turn: ToolTurn, callId: string, path: string) => void;
  /** The image as a data URL a model takes. @throws {RespondToModel} not an image */
  readonly prepare: (bytes: Uint8Array, path: string, detail: "high" | "original") => Promise<string>;
}

const parameters = {
  type: "object",
  properties: {
    path: { type: "string", description: "Path of the image file on this machine." },
    detail: {
      type: "string",
      enum: ["high", "original"],
      description: "`original` keeps the full resolution; leave it out for an image fitted to what models see well.",
    },
  },
  required: ["path"],
  additionalProperties: false,
} as const;

export function createViewImageTool(options: ViewImageOptions): Tool {
  return {
    spec: {
      type: "function",
      name: NAME,
      description: "Shows you a local image file. Use it for images that are not in the conversation yet.",
      strict: false,
      parameters,
    },
    exposure: "direct",
    supportsParallelCalls: true,
    isControl: true,
    accepts: (payload) => payload.kind !== "custom",
    preToolUse: functionHookPayload,
    withUpdatedInput: withFunctionArguments,
    run: (call, context) => run(call, context, options),
  };
}

async function run(call: ToolCall, { turn }: CallContext, options: ViewImageOptions): Promise<ToolOutput> {
  if (call.payload.kind !== "function") throw new RespondToModel(`${NAME} handler received unsupported payload`);
  if (!options.modelSeesImages(turn))
    throw new RespondToModel(`${NAME} is not allowed because you do not support image inputs`);
  const args = parseArguments("ViewImageArgs", call.payload.arguments);
  const path = options.resolvePath(turn.cwd, args.path);
  const detail = knownDetail(args.detail ?? "high");
  const bytes = await readImage(path, options.files);
  const url = await options.prepare(bytes, path, detail);
  options.viewed(turn, call.callId, path);
  const body = [{ type: "input_image" as const, image_url: url, detail }];
  return { body, success: true, postToolUse: { ...functionHookPayload(call)!, toolResponse: body } };
}

function knownDetail(detail: string): "high" | "original" {
  if (detail === "high" || detail === "original") return detail;
  throw new RespondToModel(
    `view_image.detail only supports \`high\` or \`original\`; omit \`detail\` for default high resized behavior, got \`${detail}\``,
  );
}

async function readImage(path: string, files: FileSystem): Promise<Uint8Array> {
  try {
    const found = await files.stat(path);
    if (!found)
      throw new RespondToModel(`unable to locate image at \`${path}\`: No such file or directory (os error 2)`);
    if (found.kind !== "file") throw new RespondToModel(`image path \`${path}\` is not a file`);
    if (found.size > MAX_BYTES)
      throw new RespondToModel(`unable to read image at \`${path}\`: image input exceeds ${MAX_BYTES} bytes`);
    return await files.read(path);
  } catch (error) {
    if (error instanceof FileError) throw new RespondToModel(`unable to read image at \`${path}\`: ${error.message}`);
    throw error;
  }
}
