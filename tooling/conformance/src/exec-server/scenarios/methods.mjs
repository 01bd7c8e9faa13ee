// @ts-check
// Every method with parameters that are right.
import { b64, processParams, uri } from "./parameters.mjs";

/** In the order in which they are called. @param {{ folder: string }} scene @returns {[string, object][]} */
export function everyMethod({ folder }) {
  const file = { path: uri("/etc/hostname") };
  const options = {
    maxDepth: 2,
    maxDirectories: 10,
    maxEntries: 10,
    followDirectorySymlinks: false,
    pruneHiddenDirectories: false,
  };
  return [
    ["environment/info", {}],
    ["environment/status", {}],
    ["environmentConfig/read", { cwd: uri(folder), configPaths: [], requirementsPaths: [] }],
    ["capabilityRoots/discoverV1", { roots: [] }],
    ["process/start", processParams("g", "true")],
    ["process/read", { processId: "g" }],
    ["process/write", { processId: "g", chunk: b64("x"), writeId: "1" }],
    ["process/signal", { processId: "g", signal: "interrupt" }],
    ["process/terminate", { processId: "g" }],
    ["fs/readFile", file],
    ["fs/open", { handleId: "h", ...file }],
    ["fs/readBlock", { handleId: "h", offset: 0, len: 10 }],
    ["fs/close", { handleId: "h" }],
    ["fs/writeFile", { path: uri(`${folder}/a`), dataBase64: b64("a") }],
    ["fs/createDirectory", { path: uri(`${folder}/d`), recursive: true }],
    ["fs/getMetadata", { path: uri(folder) }],
    ["fs/canonicalize", { path: uri(folder) }],
    ["fs/readDirectory", { path: uri(folder) }],
    ["fs/walk", { path: uri(folder), options }],
    ["fs/remove", { path: uri(`${folder}/a`) }],
    ["fs/copy", { sourcePath: file.path, destinationPath: uri(`${folder}/c`), recursive: false }],
    ["http/request", { method: "GET", url: "http://127.0.0.1:1/", requestId: "r" }],
  ];
}
