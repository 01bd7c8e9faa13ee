/**
 * The interface as a running thing: reads keys, draws frames, talks to the app-server, keeps one state.
 * Everything that can be decided without the outside world is in `../state`; commands are in `commands`.
 */
import { homedir } from "node:os";
import type { AppConnection, ServerRequest } from "../../client/app-connection.js";
import { clearComposer, type Draft, draftOf, restoreDraft } from "../composer/composer.js";
import { draftInput } from "../composer/draft-input.js";
import { pastedImagePaths } from "../composer/image-path.js";
import { type BurstState, mergeBursts, noBurst } from "../composer/paste-burst.js";
import { type AppState, notice, promptDrawn, promptHasKeys, withHint } from "../state/app-state.js";
import type { Effect, Step } from "../state/effects.js";
import { takeDone } from "../state/transcript-state.js";
import { handleFound, handleImage, handleInput } from "../state/update-input.js";
import { handleNotification, handleRequest, handleTime, nextTimer } from "../state/update-server.js";
import { InlineScreen } from "../terminal/inline-screen.js";
import { KeyDecoder, type TerminalInput } from "../terminal/key-decoder.js";
import type { TerminalPort } from "../terminal/process-terminal.js";
import { type Line, type Palette, wrapLine } from "../terminal/style.js";
import { viewDone, viewLive } from "../view/view.js";
import type { AppContext } from "./app-context.js";
import { attentionBytes, RESTORE_TITLE, runNotifier, SAVE_TITLE, titleBytes, titleOf } from "./attention.js";
import { ClipboardFiles, readClipboardImage } from "./clipboard-image.js";
import { CompletionSearch } from "./completion-search.js";
import { existingImage } from "./existing-image.js";
import { editExternally } from "./external-editor.js";
import { FrameScheduler } from "./frame-scheduler.js";
import { runSlashCommand } from "./slash-actions.js";
import { openThread } from "./thread-opening.js";

export interface AppOptions {
  readonly connection: AppConnection;
  readonly terminal: TerminalPort;
  readonly palette: Palette;
  readonly state: AppState;
  /** Drawn once, above everything. */
  readonly banner: readonly Line[];
  /** Sent as soon as the interface runs. */
  readonly prompt: string | undefined;
  /** Leaves by itself when the first turn has ended. */
  readonly once: boolean;
  /** A program and its arguments; run, with the text as its last argument, when the person looks elsewhere. */
  readonly notify: readonly string[];
  /** Characters that come faster than anybody types are a paste, with their newlines. */
  readonly pasteBursts: boolean;
}

/** A lone Escape is told from the start of a sequence by what does not follow it. */
const ESCAPE_MS = 30;

export class App implements AppContext {
  state: AppState;
  /** The signal that ended it; null: the person left. */
  endedBy: NodeJS.Signals | null = null;
  readonly #decoder = new KeyDecoder();
  readonly #screen: InlineScreen;
  readonly #scheduler = new FrameScheduler(
    () => this.#draw(),
    () => this.apply(handleTime(this.state, performance.now())),
  );
  readonly #answers = new Map<string | number, (result: unknown) => void>();
  readonly #search: CompletionSearch;
  readonly #clipboard = new ClipboardFiles();
  readonly #drawn: (() => void)[] = [];
  #banner: readonly Line[];
  #burst: BurstState = noBurst;
  #escape: NodeJS.Timeout | null = null;
  #title = "";
  #suspended = false;
  #interruptWanted = false;
  #finish: (() => void) | null = null;

  constructor(readonly options: AppOptions) {
    this.state = options.state;
    this.#banner = options.banner;
    this.#search = new CompletionSearch(options.connection, (found) => this.update(handleFound(this.state, found)));
    this.#screen = new InlineScreen((text) => options.terminal.write(text), options.palette);
  }

  get connection(): AppConnection {
    return this.options.connection;
  }

  /** Runs until the person leaves; the terminal is given back however it ends. */
  async run(): Promise<void> {
    const { connection, prompt } = this.options;
    connection.onNotification((notification) =>
      this.apply(handleNotification(this.state, notification, performance.now())),
    );
    connection.onRequest((request) => this.#ask(request));
    connection.onClose((reason) => {
      this.update(notice(this.state, "error", `The connection to the server ended: ${reason}`));
      this.#draw();
      this.quit();
    });
    const finished = new Promise<void>((resolve) => {
      this.#finish = resolve;
    });
    this.#startTerminal();
    try {
      this.#scheduler.request();
      if (prompt !== undefined) {
        const { composer } = this.state;
        this.update({ ...this.state, composer: clearComposer(composer) });
        const { text, elements } = draftOf(composer);
        void this.send({ text: `${text}${prompt}`, elements });
      }
      await finished;
    } finally {
      this.#scheduler.stop();
      this.#draw(true);
      this.#screen.clear();
      this.#clipboard[Symbol.dispose]();
      this.#leaveTerminal();
    }
  }

  quit(): void {
    this.#finish?.();
  }

  update(state: AppState): void {
    this.apply({ state, effects: [] });
  }

  apply({ state, effects }: Step): void {
    const ended = this.state.turnStartedAt !== null && state.turnStartedAt === null;
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    this.#scheduler.request();
    if (ended && this.options.once && !effects.some((effect) => effect.type === "send")) this.quit();
  }

  /** Resolves when the state as it is now is on the screen. */
  drawn(): Promise<void> {
    if (this.#suspended) return Promise.resolve();
    this.#scheduler.request();
    return new Promise((resolve) => this.#drawn.push(resolve));
  }

  /** Starts a turn, or steers the one that runs. A draft that cannot be sent comes back. */
  async send(draft: Draft): Promise<void> {
    const { threadId } = this.state.settings;
    const clientId = crypto.randomUUID();
    const steering = this.state.turnStartedAt !== null;
    const turnId = this.state.transcript.turnId;
    this.update({
      ...this.state,
      sent: [...this.state.sent, { clientId, draft, steering }],
      turnStartedAt: this.state.turnStartedAt ?? performance.now(),
    });
    try {
      const id = threadId ?? (await openThread(this));
      const base = { threadId: id, input: draftInput(draft), clientUserMessageId: clientId };
      if (steering && turnId !== null) await this.#steer({ ...base, expectedTurnId: turnId });
      else await this.connection.request("turn/start", base);
      if (this.#interruptWanted) this.#interrupt();
    } catch (error) {
      const sent = this.state.sent.filter((message) => message.clientId !== clientId);
      const back = { ...this.state, sent, composer: restoreDraft(this.state.composer, draft) };
      const running = back.transcript.turnId !== null;
      this.update(
        notice(
          running ? back : { ...back, turnStartedAt: null, interrupting: false },
          "error",
          `Not sent: ${messageOf(error)}`,
        ),
      );
    }
  }

  async #steer(
    params: Parameters<AppConnection["request"]>[1] & { threadId: string; expectedTurnId: string },
  ): Promise<void> {
    try {
      await this.connection.request("turn/steer", params as never);
    } catch (error) {
      // The turn ended, or another began, while the message was on its way: it starts the next one.
      if (!/no active turn to steer|expected active turn id/.test(messageOf(error))) throw error;
      const { expectedTurnId: _, ...start } = params;
      await this.connection.request("turn/start", start as never);
    }
  }

  /** Takes the terminal away for another program; draws everything anew afterwards. */
  async suspend<T>(action: () => Promise<T>): Promise<T> {
    this.#suspended = true;
    this.#screen.clear();
    this.#leaveTerminal();
    try {
      return await action();
    } finally {
      this.#startTerminal();
      this.#suspended = false;
      this.#scheduler.request();
    }
  }

  #startTerminal(): void {
    this.options.terminal.start({
      input: (text) => this.#read(text),
      resized: () => this.#scheduler.request(),
      ended: (signal) => {
        this.endedBy = signal;
        this.quit();
      },
      stopping: () => this.#stopForAWhile(),
      continued: () => {
        this.#screen.reset();
        this.#scheduler.request();
      },
    });
  }

  #leaveTerminal(): void {
    if (this.#title !== "") this.options.terminal.write(RESTORE_TITLE);
    this.#title = "";
    this.options.terminal.stop();
  }

  #stopForAWhile(): void {
    if (!this.#suspended) void this.suspend(() => this.options.terminal.stopProcess());
  }

  #read(text: string): void {
    if (this.#escape) clearTimeout(this.#escape);
    this.#escape = null;
    this.#take(this.#decoder.push(text));
    if (this.#decoder.waiting) this.#escape = setTimeout(() => this.#take(this.#decoder.flush()), ESCAPE_MS);
  }

  #take(raw: readonly TerminalInput[]): void {
    const now = performance.now();
    let inputs = raw;
    if (this.options.pasteBursts && !this.state.picker && !promptHasKeys(this.state, now)) {
      const merged = mergeBursts(raw, this.#burst, now);
      this.#burst = merged.state;
      inputs = merged.inputs;
    }
    for (const input of inputs) {
      const images = input.type === "paste" && !promptHasKeys(this.state, now) ? this.#images(input.text) : [];
      if (images.length > 0) this.update(images.reduce(handleImage, this.state));
      else this.apply(handleInput(this.state, input, now, this.options.terminal.size().columns));
    }
  }

  /** The files that a pasted text names, when it names nothing but images that are there. */
  #images(pasted: string): readonly string[] {
    const around = { home: homedir(), cwd: this.state.settings.cwd, wsl: process.env.WSL_DISTRO_NAME !== undefined };
    for (const paths of pastedImagePaths(pasted, around)) {
      const there = paths.map(existingImage);
      if (there.every((file) => file !== null)) return there;
    }
    return [];
  }

  async #attachClipboard(): Promise<void> {
    const image = await readClipboardImage();
    if (image.kind === "image") {
      this.update(handleImage(this.state, this.#clipboard.save(image.bytes, image.extension)));
      return;
    }
    const why =
      image.kind === "none"
        ? "the clipboard holds no image; text is pasted with the terminal's own key"
        : "reading an image needs wl-paste, xclip or pngpaste; the path of a file can be pasted instead";
    this.update(withHint(this.state, why, performance.now()));
  }

  #ask(request: ServerRequest): Promise<unknown> {
    const next = handleRequest(this.state, request, performance.now());
    if (!next) return Promise.reject(new Error(`${request.method} is not supported by this client`));
    const answer = new Promise<unknown>((resolve) => this.#answers.set(request.id, resolve));
    this.apply(next);
    return answer;
  }

  #perform(effect: Effect): void {
    switch (effect.type) {
      case "respond":
        this.#answers.get(effect.requestId)?.(effect.result);
        this.#answers.delete(effect.requestId);
        break;
      case "send":
        void this.send(effect.draft);
        break;
      case "interrupt":
        this.#interrupt();
        break;
      case "command":
        void this.#report(runSlashCommand(this, effect.command.name, effect.argument));
        break;
      case "resume":
        void this.#report(openThread(this, { resume: effect.threadId }));
        break;
      case "externalEditor":
        void this.#report(editExternally(this));
        break;
      case "pasteImage":
        void this.#report(this.#attachClipboard());
        break;
      case "search":
        void this.#search.ask(effect.search, this.state.settings.cwd);
        break;
      case "redraw":
        this.options.terminal.write("\x1b[2J\x1b[H");
        this.#screen.reset();
        break;
      case "attention":
        if (this.state.focused) break;
        this.options.terminal.write(attentionBytes(effect.text));
        runNotifier(this.options.notify, effect.text);
        break;
      case "stopProcess":
        this.#stopForAWhile();
        break;
      case "quit":
        this.quit();
        break;
    }
  }

  /** An action's failure is one line in the transcript. */
  async #report(action: Promise<unknown>): Promise<void> {
    try {
      await action;
    } catch (error) {
      this.update(notice(this.state, "error", messageOf(error)));
    }
  }

  #interrupt(): void {
    const { threadId } = this.state.settings;
    const { turnId } = this.state.transcript;
    // The turn has been asked for but not announced: interrupt it as soon as it is.
    this.#interruptWanted = threadId === null || turnId === null;
    if (threadId === null || turnId === null) return;
    void this.#report(this.connection.request("turn/interrupt", { threadId, turnId }));
  }

  #draw(final = false): void {
    if (this.#suspended) return;
    const size = this.options.terminal.size();
    const now = performance.now();
    const { state: transcript, done } = takeDone(this.state.transcript);
    const banner = this.#banner.flatMap((line) => wrapLine(line, size.columns));
    const commit = [...banner, ...viewDone(done, size.columns)];
    this.#banner = [];
    this.state = promptDrawn({ ...this.state, transcript }, now);
    const view = final ? { live: [], cursor: null } : viewLive(this.state, size, now);
    this.#screen.draw({ commit, ...view }, size);
    const title = titleOf(this.state);
    if (!final && title !== this.#title) {
      this.options.terminal.write(`${this.#title === "" ? SAVE_TITLE : ""}${titleBytes(title)}`);
      this.#title = title;
    }
    for (const resolve of this.#drawn.splice(0)) resolve();
    this.#scheduler.wakeIn(final ? null : nextTimer(this.state, now));
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
