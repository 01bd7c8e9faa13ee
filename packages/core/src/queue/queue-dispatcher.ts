/**
 * Sends what waits for a thread, the head first, whenever the thread is idle. After an interruption nothing is sent by
 * itself until another turn has ended: then the person decides. A submission leaves the queue once it was taken.
 */
import type { NotSubmittedReason } from "@turnkit/protocol";
import type { Session } from "../session-api.js";
import { type QueuedInput, QueueError } from "./queued-input.js";
import type { ThreadQueue } from "./thread-queue.js";

export interface QueueDispatcherOptions {
  readonly session: Session;
  readonly queue: ThreadQueue;
  /** The thread's newest turn was interrupted. */
  readonly held: boolean;
  /** The queue has changed by itself. */
  readonly changed: () => void;
  readonly warn: (message: string) => void;
}

/** The session did not take the submission, which stays where it is. */
export class QueueRefusal extends Error {
  override readonly name = "QueueRefusal";

  constructor(readonly reason: NotSubmittedReason) {
    super(typeof reason === "string" ? reason : Object.keys(reason)[0]);
  }
}

export class QueueDispatcher {
  #held: boolean;
  /** The head was sent and is still there. */
  #stuck = false;
  #last: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(private readonly options: QueueDispatcherOptions) {
    this.#held = options.held;
    const unsubscribe = options.session.subscribe(({ msg }) => {
      if (msg.type === "shutdown_complete") {
        this.#closed = true;
        unsubscribe();
      }
      if (msg.type === "turn_aborted" && msg.reason === "interrupted") this.#held = true;
      if (msg.type !== "task_complete") return;
      this.#held = false;
      // Listeners of this event come first.
      setImmediate(() => this.wake());
    });
  }

  /** Sends the head, if the thread is idle and nothing speaks against it. */
  wake(): void {
    void this.#alone(async () => {
      if (this.#held || this.#stuck || this.#closed || this.options.session.snapshot().activeTurnId !== null) return;
      const [head] = await this.options.queue.list();
      if (head) await this.#send(head);
    }).catch((error: unknown) => {
      // A turn that began in between wakes the queue when it ends.
      if (this.#closed || (error instanceof QueueRefusal && error.reason === "NotIdle")) return;
      this.options.warn(`a queued message was not sent and stays queued: ${String(error)}`);
    });
  }

  /**
   * Sends this one, or the head, now. @returns the turn's id
   * @throws {QueueError} there is none, or the thread is busy @throws {QueueRefusal}
   */
  start(id: string | null): Promise<string> {
    return this.#alone(async () => {
      const { queue, session } = this.options;
      const row = id === null ? (await queue.list())[0] : await queue.get(id);
      if (!row) throw new QueueError("queue is empty");
      if (session.snapshot().activeTurnId !== null)
        throw new QueueError("thread already has an active or pending turn");
      return await this.#send(row);
    });
  }

  async #send({ id, content, clientId }: QueuedInput): Promise<string> {
    const { queue, session, changed, warn } = this.options;
    const submission = await session.submit(
      { input: { UserInput: { content: [...content], client_id: clientId } } },
      "StartIfIdle",
    );
    if (!("Started" in submission))
      throw new QueueRefusal("NotSubmitted" in submission ? submission.NotSubmitted.reason : "NotIdle");
    try {
      await queue.remove(id);
      changed();
    } catch (error) {
      // It would be sent again after every turn.
      this.#stuck = true;
      warn(
        `a queued message was sent and cannot be taken out of the queue; nothing more is sent from it: ${String(error)}`,
      );
    }
    return submission.Started.turn_id;
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }
}
