/** What is known of the thread on the screen. Data only. */

export interface ThreadSettings {
  readonly threadId: string | null;
  readonly model: string;
  readonly provider: string;
  readonly cwd: string;
  readonly approvalPolicy: string;
  readonly sandbox: string;
  readonly mode: "default" | "plan";
  readonly rolloutPath: string | null;
  readonly version: string;
}
