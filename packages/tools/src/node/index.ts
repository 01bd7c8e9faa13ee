/** What of the tools needs Node: everything else runs wherever JavaScript runs. */
export { gitBlobId } from "./git-blob-id.js";
export { nodeFileSystem } from "./node-file-system.js";
