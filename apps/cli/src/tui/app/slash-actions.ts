/** What the slash commands do. Their names and help are in `../composer/slash-commands`. */
import { execFile } from "node:child_process";
import { homedir } from "node:os";
import { promisify } from "node:util";
import { threadPages } from "../../client/thread-pages.js";
import { SLASH_COMMANDS } from "../composer/slash-commands.js";
import { keyLabel } from "../keymap/keymap.js";
import { type AppState, notice, withCell } from "../state/app-state.js";
import { threadRow } from "../state/thread-rows.js";
import { bold, dim, type Line, lineOf, plain, tinted } from "../terminal/style.js";
import { shownCommand } from "../transcript/terminal-text.js";
import type { AppContext } from "./app-context.js";
import { listMcpServers, listSkills } from "./catalogue-actions.js";
import { writeProjectNotes } from "./project-notes.js";
import { openThread } from "./thread-opening.js";

const say = (app: AppContext, ...lines: readonly Line[]): void =>
  app.update(withCell(app.state, { kind: "lines", lines }));

/** @throws {Error} with a message for the person */
export async function runSlashCommand(app: AppContext, name: string, argument: string): Promise<void> {
  const { connection } = app;
  switch (name) {
    case "help":
      return say(app, ...helpLines(app.state));
    case "new":
      await openThread(app);
      return say(app, lineOf(dim("· A new thread.")));
    case "resume":
      return argument === "" ? pickThread(app) : void (await openThread(app, { resume: argument }));
    case "fork":
      await openThread(app, { fork: await currentThread(app) });
      return say(app, lineOf(dim("· A copy of the thread; the original stays as it was.")));
    case "compact":
      return void (await connection.request("thread/compact/start", { threadId: await currentThread(app) }));
    case "init":
      return writeProjectNotes(app);
    case "skills":
      return listSkills(app);
    case "mcp":
      return listMcpServers(app);
    case "plan":
      return setMode(app);
    case "model":
      return setModel(app, argument);
    case "approvals":
      return setApprovals(app, argument);
    case "status":
      return say(app, ...statusLines(app.state, homedir()));
    case "diff":
      return showDiff(app);
    case "output":
      return showOutput(app);
    case "ps":
      return listTerminals(app);
    case "stop":
      await connection.request("thread/backgroundTerminals/clean", { threadId: await currentThread(app) });
      return say(app, lineOf(dim("· All background terminals were stopped.")));
    case "quit":
      return app.quit();
  }
}

const currentThread = async (app: AppContext): Promise<string> =>
  app.state.settings.threadId ?? (await openThread(app));

function helpLines(state: AppState): Line[] {
  const { keymap } = state;
  const row = (left: string, right: string): Line => [plain("  "), tinted("accent", left.padEnd(28)), dim(right)];
  return [
    [bold("Keys")],
    row(keyLabel(keymap.composer.submit), "send; while a turn runs, steer it"),
    row(keyLabel(keymap.composer.queue), "queue for when the turn has ended"),
    row(`${keyLabel(keymap.composer.newline)}, ctrl + j`, "a new line"),
    row(`${keyLabel(keymap.composer.stop)}`, "interrupt the turn; twice: empty the draft"),
    row(`${keyLabel(keymap.global.interrupt)}`, "empty the draft, else interrupt; twice: quit"),
    row(`${keyLabel(keymap.composer.external_editor)}`, "write the draft in your editor"),
    row(`${keyLabel(keymap.global.show_output)}`, "the last output that was folded, in full"),
    row("↑ / ↓", "earlier messages"),
    row("@ and letters", "put the path of a file in; images are attached"),
    row("$ and letters", "name a skill"),
    row(keyLabel(keymap.composer.paste_image), "attach the image in the clipboard"),
    row("paste an image's path", "attach it"),
    [bold("Commands")],
    ...SLASH_COMMANDS.map((entry) =>
      row(`/${entry.name}${entry.argument ? ` ${entry.argument}` : ""}`, entry.description),
    ),
  ];
}

/** As a shell reads it, and as short as it can be said. */
const fromHome = (path: string, home: string): string =>
  home !== "" && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;

function statusLines({ settings, tokens, transcript }: AppState, home: string): Line[] {
  const row = (label: string, value: string): Line => [dim(`  ${label.padEnd(12)}`), plain(value)];
  return [
    [bold(`turnkit ${settings.version}`)],
    row("thread", settings.threadId ?? "not started"),
    row("model", `${settings.model} (${settings.provider})`),
    row("folder", fromHome(settings.cwd, home)),
    row("approvals", settings.approvalPolicy),
    row("sandbox", settings.sandbox),
    row("mode", settings.mode),
    row("tokens", tokens ? `${tokens.used}${tokens.window ? ` of ${tokens.window}` : ""}` : "none yet"),
    row("terminals", String(transcript.terminals.length)),
    row("rollout", settings.rolloutPath === null ? "none" : fromHome(settings.rolloutPath, home)),
    ...(settings.threadId ? [row("resume with", `turnkit resume ${settings.threadId}`)] : []),
  ];
}

async function pickThread(app: AppContext): Promise<void> {
  let opened = false;
  for await (const page of threadPages(app.connection)) {
    const others = page.filter((thread) => thread.id !== app.state.settings.threadId);
    if (others.length === 0) continue;
    const rows = others.map((thread) => threadRow(thread, Date.now()));
    const { picker } = app.state;
    if (opened && picker === null) return;
    const next = picker ?? { purpose: "resume", title: "Resume a thread", rows: [], search: "", selected: 0 };
    app.update({ ...app.state, picker: { ...next, rows: [...next.rows, ...rows] } });
    opened = true;
  }
  if (!opened) say(app, lineOf(dim("· There is no earlier thread.")));
}

async function setMode(app: AppContext): Promise<void> {
  const { settings } = app.state;
  const mode = settings.mode === "plan" ? "default" : "plan";
  await app.connection.request("thread/settings/update", {
    threadId: await currentThread(app),
    collaborationMode: {
      mode,
      settings: { model: app.state.settings.model, reasoning_effort: null, developer_instructions: null },
    },
  });
  app.update(
    notice(
      { ...app.state, settings: { ...app.state.settings, mode } },
      "info",
      mode === "plan" ? "Plan mode: it explores and asks, and changes nothing." : "Default mode.",
    ),
  );
}

async function setModel(app: AppContext, model: string): Promise<void> {
  if (model === "") {
    return say(
      app,
      lineOf(dim(`· ${app.state.settings.model} (${app.state.settings.provider}); /model NAME changes it`)),
    );
  }
  await app.connection.request("thread/settings/update", { threadId: await currentThread(app), model });
  app.update(
    notice({ ...app.state, settings: { ...app.state.settings, model } }, "info", `Model for the next turns: ${model}`),
  );
}

const POLICIES = ["untrusted", "on-request", "never"] as const;

async function setApprovals(app: AppContext, wanted: string): Promise<void> {
  const policy = POLICIES.find((entry) => entry === wanted);
  if (!policy) {
    const error = wanted === "" ? "" : `"${wanted}" is none of ${POLICIES.join(", ")}; `;
    return say(app, lineOf(dim(`· ${error}approvals are ${app.state.settings.approvalPolicy}`)));
  }
  await app.connection.request("thread/settings/update", {
    threadId: await currentThread(app),
    approvalPolicy: policy,
  });
  app.update(
    notice(
      { ...app.state, settings: { ...app.state.settings, approvalPolicy: policy } },
      "info",
      `Approvals: ${policy}`,
    ),
  );
}

async function showDiff(app: AppContext): Promise<void> {
  const run = promisify(execFile);
  const options = { cwd: app.state.settings.cwd, maxBuffer: 1 << 26 };
  try {
    const { stdout } = await run("git", ["diff", "--no-color", "--no-ext-diff", "HEAD"], options);
    if (stdout.trim() === "") return say(app, lineOf(dim("· Nothing changed since the last commit.")));
    app.update(withCell(app.state, { kind: "agent", itemId: "", text: `\`\`\`diff\n${stdout}\`\`\``, first: true }));
  } catch {
    throw new Error("There is no git repository with a commit here.");
  }
}

function showOutput(app: AppContext): void {
  const last = app.state.lastOutput;
  if (last === null) {
    say(app, lineOf(dim("· No command has run yet.")));
    return;
  }
  app.update(
    withCell(app.state, {
      kind: "lines",
      lines: [[bold("Full output")], ...last.split("\n").map((row) => [plain(row)])],
    }),
  );
}

async function listTerminals(app: AppContext): Promise<void> {
  const { threadId } = app.state.settings;
  const terminals =
    threadId === null ? [] : (await app.connection.request("thread/backgroundTerminals/list", { threadId })).data;
  if (terminals.length === 0) return say(app, lineOf(dim("· No background terminals.")));
  say(
    app,
    [bold("Background terminals")],
    ...terminals.map(
      (entry): Line => [
        plain("  "),
        tinted("accent", entry.processId.padEnd(8)),
        plain(shownCommand(entry.command)),
        dim(`  ${entry.cwd}`),
      ],
    ),
    [dim("  /stop ends them all")],
  );
}
