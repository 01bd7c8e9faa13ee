/** Keeps threads as session files below a home folder. */
import path from "node:path";
import type { SessionMeta } from "@turnkit/protocol";
import type { ThreadStore } from "../session/session-options.js";
import { gitInfo } from "./git-info.js";
import { FileRecorder, type RolloutRecorder } from "./recorder.js";
import { rolloutPath } from "./rollout-path.js";

export class FileThreadStore implements ThreadStore {
  constructor(
    readonly home: string,
    private readonly epochMs: () => number = Date.now,
  ) {}

  get #lockFolder(): string {
    return path.join(this.home, "tmp", "session-locks");
  }

  create(meta: SessionMeta, startedAt: Date): RolloutRecorder {
    return new FileRecorder({
      path: rolloutPath(this.home, meta.id, startedAt),
      resume: false,
      lockFolder: this.#lockFolder,
      epochMs: this.epochMs,
      firstItem: async () => {
        const git = await gitInfo(meta.cwd);
        return { type: "session_meta", payload: git ? { ...meta, git } : meta };
      },
    });
  }

  resume(file: string): RolloutRecorder {
    return new FileRecorder({
      path: file,
      resume: true,
      lockFolder: this.#lockFolder,
      epochMs: this.epochMs,
      firstItem: undefined,
    });
  }
}
