/** Calls of tools as blocks: commands with how they ended, questions with their answers, plans, patches, and the rest. */
import { block, type Fields, fields, image, list, output, parsed, patch, text } from "./html.js";

export type Outputs = ReadonlyMap<string, unknown>;

export function callBlock(item: Fields, outputs: Outputs): string {
  const given = outputs.get(String(item.call_id));
  const name = String(item.name ?? item.type);
  const args = item.type === "custom_tool_call" ? { input: item.input } : parsed(item.arguments);
  const command = commandOf(item, args);
  if (command !== null) return commandBlock("Command", `$ ${command}`, given);
  if (name === "request_user_input") return questionBlock(args, given);
  if (name === "write_stdin") {
    const typed = String(args.chars ?? "");
    const shown = typed === "" ? "(waited)" : JSON.stringify(typed).slice(1, -1);
    return commandBlock(`Typed into terminal ${text(args.session_id)}`, shown, given);
  }
  if (name === "update_plan") return planBlock(args);
  if (name === "apply_patch" && typeof args.input === "string")
    return block("command", "Patch", patch(args.input) + result(given).html);
  if (name === "view_image")
    return block("command", "Image", `<p class="typed">${text(args.path)}</p>${result(given).html}`);
  const written = item.type === "custom_tool_call" ? String(item.input ?? "") : JSON.stringify(args, null, 1);
  const shown = written === "{}" ? "" : `<pre class="typed">${text(written)}</pre>`;
  return block("command", `Tool <code>${text(name)}</code>`, shown + result(given).html);
}

/** The command line, of the tools that every version had for it. */
function commandOf(item: Fields, args: Fields): string | null {
  const words = item.type === "local_shell_call" ? fields(item.action).command : args.command;
  switch (item.type === "local_shell_call" ? "shell" : item.name) {
    case "exec_command":
      return String(args.cmd ?? "");
    case "shell":
    case "shell_command":
    case "container.exec":
    case "local_shell": {
      const parts = list(words).map(String);
      const script = /^(?:.*\/)?(?:ba|z|da)?sh$/.test(parts[0] ?? "") && /^-l?c$/.test(parts[1] ?? "");
      return typeof words === "string" ? words : script ? (parts[2] ?? "") : parts.join(" ");
    }
    default:
      return null;
  }
}

function commandBlock(title: string, line: string, given: unknown): string {
  const { html, exitCode, seconds } = result(given);
  const time = seconds === undefined ? "" : `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;
  const ended =
    exitCode === undefined ? "" : `<span class="${exitCode === 0 ? "good" : "bad"}">exit ${exitCode}</span>`;
  const remark = [time, ended].filter((part) => part !== "").join(" · ");
  return block("command", title, `<pre class="typed">${text(line)}</pre>${html}`, remark);
}

interface Result {
  readonly html: string;
  readonly exitCode?: number | undefined;
  readonly seconds?: number | undefined;
}

const numberIn = (value: string | undefined): number | undefined => (value === undefined ? undefined : Number(value));

/** What a tool gave back; the head that the harness writes for the model becomes figures. */
function result(given: unknown): Result {
  if (Array.isArray(given)) return { html: contentHtml(given) };
  if (typeof given !== "string") {
    const { content } = fields(given);
    return { html: typeof content === "string" ? output(content) : contentHtml(content) };
  }
  const old = parsed(given);
  if (typeof old.output === "string") {
    const { exit_code: code, duration_seconds: took } = fields(old.metadata);
    return {
      html: output(old.output),
      exitCode: typeof code === "number" ? code : undefined,
      seconds: typeof took === "number" ? took : undefined,
    };
  }
  const head = /^(?:(?!Output:\n)[^\n]*\n){0,8}?Output:\n/.exec(given)?.[0] ?? "";
  if (!/^(?:Chunk ID|Wall time|Exit code|Process )/m.test(head)) return { html: output(given) };
  return {
    html: output(given.slice(head.length)),
    exitCode: numberIn(/(?:exited with code|Exit code:) (-?\d+)/.exec(head)?.[1]),
    seconds: numberIn(/Wall time: ([\d.]+)/.exec(head)?.[1]),
  };
}

export function contentHtml(content: unknown, show: (value: string) => string = output): string {
  return list(content)
    .map((part) => {
      const { type, text: value, image_url } = fields(part);
      return type === "input_image" ? image(image_url) : show(String(value ?? ""));
    })
    .join("");
}

function questionBlock(args: Fields, given: unknown): string {
  const answers = fields(fields(parsed(given)).answers);
  const rows = list(args.questions).map((question) => {
    const { id, question: asked, isSecret, options } = fields(question);
    const chosen = list(fields(answers[String(id)]).answers).map(String);
    const notes = chosen.flatMap((answer) =>
      answer.startsWith("user_note: ") ? [answer.slice("user_note: ".length)] : [],
    );
    const offered = list(options).map((option) => {
      const { label, description } = fields(option);
      const taken = chosen.includes(String(label));
      const about = description ? ` <span class="muted">${text(description)}</span>` : "";
      return `<li class="${taken ? "taken" : "open"}"><span class="marker">${taken ? "●" : "○"}</span><span>${text(label)}${about}</span></li>`;
    });
    const labels = list(options).map((option) => String(fields(option).label));
    const other = chosen.filter((answer) => !answer.startsWith("user_note: ") && !labels.includes(answer));
    const said = isSecret === true && chosen.length > 0 ? ["••••••"] : [...other, ...notes];
    const shown = said.map((answer) => `<dd>${text(answer)}</dd>`).join("");
    const nothing = chosen.length === 0 ? '<dd class="muted">not answered</dd>' : "";
    return `<dt>${text(asked)}</dt>${offered.length > 0 && isSecret !== true ? `<dd><ul>${offered.join("")}</ul></dd>` : ""}${shown}${nothing}`;
  });
  const failed = typeof given === "string" && fields(parsed(given)).answers === undefined ? output(given) : "";
  return block("question", "Question", `<dl>${rows.join("")}</dl>${failed}`);
}

const PLAN_MARKS: Readonly<Record<string, string>> = { completed: "☑", in_progress: "▸", pending: "☐" };

function planBlock(args: Fields): string {
  const steps = list(args.plan).map((entry) => {
    const { step, status } = fields(entry);
    return `<li class="${text(status)}"><span class="marker">${PLAN_MARKS[String(status)] ?? "☐"}</span><span>${text(step)}</span></li>`;
  });
  const why = args.explanation ? `<p>${text(args.explanation)}</p>` : "";
  return block("plan", "Plan", `${why}<ul>${steps.join("")}</ul>`);
}
