/** Every command: its command line, its help, and where it is loaded from. Loads none of them. */
import type { CommandSpec, OptionSpec, PositionalSpec } from "../arguments/command-spec.js";
import { REMOTE_OPTION, THREAD_OPTIONS } from "../arguments/thread-options.js";

const JSON_OPTION: OptionSpec = { long: "json", description: "print JSON" };
const FILES: PositionalSpec = { name: "FILE", required: true, repeat: true, description: "session files" };
const IMAGE: OptionSpec = { long: "image", short: "i", value: "FILE", repeat: true, description: "attach an image" };

const EXEC_OPTIONS: readonly OptionSpec[] = [
  { long: "json", description: "print events as JSON lines (docs/exec-events.md)" },
  { long: "experimental-json", description: "print events as JSON lines in the form the Codex SDK reads" },
  { long: "output-schema", value: "FILE", description: "a JSON Schema the final message has to follow" },
  { long: "output-last-message", short: "o", value: "FILE", description: "also write the final message to a file" },
  {
    long: "on-question",
    value: "HOW",
    choices: ["ask", "fail", "first"],
    description: "let the model ask, and what to do then",
  },
  {
    long: "answers",
    value: "FILE",
    description: "let the model ask, and answer from a JSON file of question id → answer",
  },
  { long: "ephemeral", description: "write no session file" },
  { long: "thread-source", value: "NAME", description: "recorded with a new thread: what started it" },
  { long: "skip-git-repo-check", description: "accepted; Turnkit works in any folder" },
  { long: "color", value: "WHEN", choices: ["auto", "always", "never"], description: "colour of the progress" },
  IMAGE,
  REMOTE_OPTION,
  ...THREAD_OPTIONS,
];

const PROMPT: PositionalSpec = {
  name: "PROMPT",
  required: false,
  description: "what to do; `-` reads it from standard input",
};
const THREAD: PositionalSpec = { name: "ID", required: false, description: "the thread, by its id" };
const LAST: OptionSpec = { long: "last", description: "the thread that was used last" };
const ALL: OptionSpec = { long: "all", description: "threads of every folder, not only of this one" };

const simple = (
  name: string,
  summary: string,
  load: CommandSpec["load"],
  more: Partial<CommandSpec> = {},
): CommandSpec => ({ name, summary, positionals: [], options: [], examples: [], load, ...more });

const rollout = (): Promise<typeof import("./rollout/index.js")> => import("./rollout/index.js");
const schema = (): Promise<typeof import("./schema.js")> => import("./schema.js");
const config = (): Promise<typeof import("./config/index.js")> => import("./config/index.js");
const mcp = (): Promise<typeof import("./mcp.js")> => import("./mcp.js");
const mcpLogin = (): Promise<typeof import("./mcp-login.js")> => import("./mcp-login.js");
const features = (): Promise<typeof import("./features.js")> => import("./features.js");

const CONFIG_KEY: PositionalSpec = { name: "KEY", required: true, description: "dotted, as in `tui.vim_keys`" };
const FEATURE: PositionalSpec = { name: "NAME", required: true, description: "as in `features list`" };
const MCP_SERVER: PositionalSpec = { name: "NAME", required: true, description: "name of the server" };
/** What decides which configuration is in force. */
const CONFIG_OPTIONS = THREAD_OPTIONS.filter(({ long }) => ["config", "profile", "enable", "disable"].includes(long));

const COMMANDS: readonly CommandSpec[] = [
  simple("exec", "Run one task without an interface; standard output is its result.", () => import("./exec/index.js"), {
    usage: ["[OPTIONS] [PROMPT]", "resume [OPTIONS] ID|--last [PROMPT]"],
    positionals: [PROMPT, { ...PROMPT, description: "" }, { ...PROMPT, description: "" }],
    options: [...EXEC_OPTIONS, LAST, ALL],
    examples: [
      ['turnkit exec "fix the failing test"', "progress goes to standard error, the final message to standard output"],
      ["git diff | turnkit exec - > review.md", "the prompt comes from standard input"],
      ['turnkit exec --json "list the open tasks"', "events as JSON lines"],
      ['turnkit exec resume --last "and now the docs"', "go on with the latest thread"],
    ],
  }),
  simple("resume", "Go on with an earlier thread.", () => import("./resume.js"), {
    positionals: [THREAD, { name: "PROMPT", required: false, description: "sent at once" }],
    options: [LAST, ALL, REMOTE_OPTION, ...THREAD_OPTIONS],
    examples: [
      ["turnkit resume", "choose from a list"],
      ["turnkit resume --last", "the latest thread of this folder"],
      ['turnkit resume ID "and the tests?"', "without a terminal it answers on standard output and ends"],
    ],
  }),
  simple("fork", "Go on from a copy of an earlier thread.", () => import("./fork.js"), {
    positionals: [THREAD, { name: "PROMPT", required: false, description: "sent at once" }],
    options: [LAST, ALL, REMOTE_OPTION, ...THREAD_OPTIONS],
    examples: [["turnkit fork --last", "try another way; the original stays as it was"]],
  }),
  simple("archive", "Put a thread away; it is no longer listed.", () => import("./archive.js"), {
    positionals: [{ ...THREAD, required: true }],
    examples: [["turnkit archive ID", ""]],
  }),
  simple("delete", "Delete a thread and its session file.", () => import("./delete.js"), {
    positionals: [{ ...THREAD, required: true }],
    options: [{ long: "yes", short: "y", description: "do not ask" }],
  }),
  simple(
    "app-server",
    "Serve the app protocol on standard input and output, a WebSocket or a socket file.",
    () => import("./app-server.js"),
    {
      passThrough: true,
      examples: [
        ["turnkit app-server", "JSON lines on standard input and output"],
        [
          "turnkit app-server --listen ws://127.0.0.1:4600",
          "a WebSocket; `turnkit --remote ws://127.0.0.1:4600` joins it",
        ],
      ],
    },
  ),
  simple("exec-server", "Serve processes and files to an agent elsewhere.", () => import("./exec-server.js"), {
    passThrough: true,
    examples: [["turnkit exec-server --listen ws://127.0.0.1:4700", ""]],
  }),
  simple("sandbox", "Run a command under the sandbox that commands of the model get.", () => import("./sandbox.js"), {
    usage: ["[OPTIONS] [--] COMMAND [ARGUMENT]…"],
    positionals: [{ name: "COMMAND", required: true, repeat: true, description: "the program and its arguments" }],
    options: THREAD_OPTIONS.filter(({ long }) => !["model", "ask-for-approval"].includes(long)),
    commandFollows: true,
    examples: [
      ["turnkit sandbox npm test", "as config.toml says; the exit code is the command's"],
      ["turnkit sandbox -s read-only -- ls -la", "reading only"],
    ],
  }),
  simple("rollout", "Look at, check and convert session files of any version.", rollout, {
    subcommands: [
      simple("validate", "Check session files line by line.", async () => ({ run: (await rollout()).validate }), {
        positionals: [FILES],
        options: [JSON_OPTION],
        examples: [["turnkit rollout validate rollout-*.jsonl", "exit code 3 when a file has a loss"]],
      }),
      simple("inspect", "Show what a session file holds.", async () => ({ run: (await rollout()).inspect }), {
        positionals: [FILES],
        options: [JSON_OPTION],
      }),
      simple(
        "convert",
        "Write session files of any version in today's form.",
        async () => ({ run: (await rollout()).convert }),
        {
          positionals: [FILES],
          options: [
            { long: "output", short: "o", value: "PATH", description: "a file or a folder; standard output otherwise" },
            JSON_OPTION,
          ],
        },
      ),
      simple(
        "export",
        "Write one self-contained page of a session.",
        async () => ({ run: (await rollout()).exportHtml }),
        {
          positionals: [FILES],
          options: [
            { long: "html", description: "as HTML (the only form so far)" },
            { long: "output", short: "o", value: "FILE", description: "where to; beside the session file otherwise" },
          ],
        },
      ),
    ],
  }),
  simple("schema", "The JSON Schemas of every message and file.", schema, {
    subcommands: [
      simple("list", "Names of all schemas.", async () => ({ run: (await schema()).list }), { options: [JSON_OPTION] }),
      simple("print", "Print schemas, self-contained.", async () => ({ run: (await schema()).print }), {
        positionals: [{ name: "NAME", required: true, repeat: true, description: "as in `schema list`" }],
      }),
    ],
  }),
  simple("config", "Read, change and check the configuration file; comments stay.", config, {
    subcommands: [
      simple("path", "Print where the file is.", async () => ({ run: (await config()).showPath })),
      simple(
        "get",
        "Print a value that is in force; without KEY, all of them.",
        async () => ({ run: (await config()).get }),
        {
          positionals: [{ ...CONFIG_KEY, required: false }],
          options: [JSON_OPTION, ...CONFIG_OPTIONS],
        },
      ),
      simple("set", "Set a key.", async () => ({ run: (await config()).set }), {
        positionals: [CONFIG_KEY, { name: "VALUE", required: true, description: "a TOML value, or any other text" }],
        examples: [
          ["turnkit config set model gpt-5.4", ""],
          ["turnkit config set features.default_mode_request_user_input true", "questions outside of Plan mode"],
        ],
      }),
      simple("unset", "Remove a key, or a whole table.", async () => ({ run: (await config()).unset }), {
        positionals: [CONFIG_KEY],
      }),
      simple("check", "Check the file: every key, every value.", async () => ({ run: (await config()).check }), {
        options: CONFIG_OPTIONS,
        examples: [["turnkit config check", "exit code 4 when a key is unknown or a value breaks a rule"]],
      }),
    ],
  }),
  simple("features", "List and switch features.", features, {
    subcommands: [
      simple("list", "Every feature and whether it is on.", async () => ({ run: (await features()).list }), {
        options: [JSON_OPTION, ...CONFIG_OPTIONS],
      }),
      simple("enable", "Switch a feature on in config.toml.", async () => ({ run: (await features()).enable }), {
        positionals: [FEATURE],
      }),
      simple("disable", "Switch a feature off in config.toml.", async () => ({ run: (await features()).disable }), {
        positionals: [FEATURE],
      }),
    ],
  }),
  simple("mcp", "List, add and remove MCP servers, and log in to them.", mcp, {
    subcommands: [
      simple("list", "Every configured server.", async () => ({ run: (await mcp()).list }), {
        options: [JSON_OPTION, ...CONFIG_OPTIONS],
      }),
      simple("get", "One server with all its settings.", async () => ({ run: (await mcp()).get }), {
        positionals: [MCP_SERVER],
        options: [JSON_OPTION, ...CONFIG_OPTIONS],
      }),
      simple("add", "Add a server to config.toml, or replace it.", async () => ({ run: (await mcp()).add }), {
        usage: ["NAME [--env NAME=VALUE] -- COMMAND [ARGUMENT …]", "NAME --url URL [--bearer-token-env-var NAME]"],
        positionals: [MCP_SERVER, { name: "COMMAND", required: false, repeat: true, description: "runs the server" }],
        options: [
          { long: "env", value: "NAME=VALUE", repeat: true, description: "a variable of the command" },
          { long: "url", value: "URL", description: "a server over streamable HTTP" },
          { long: "bearer-token-env-var", value: "NAME", description: "the variable that holds its token" },
        ],
        examples: [
          ["turnkit mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", "a command"],
          ["turnkit mcp add docs --url https://docs.example.com/mcp", "a URL"],
        ],
      }),
      simple("remove", "Remove a server from config.toml.", async () => ({ run: (await mcp()).remove }), {
        positionals: [MCP_SERVER],
      }),
      simple("login", "Log in to a server in a browser.", async () => ({ run: (await mcpLogin()).login }), {
        positionals: [MCP_SERVER],
        options: [
          { long: "scopes", value: "SCOPE,SCOPE", description: "what to ask for, instead of what the server names" },
          ...CONFIG_OPTIONS,
        ],
        examples: [["turnkit mcp login docs --scopes read,write", "prints the page to open, and waits"]],
      }),
      simple("logout", "Forget the login to a server.", async () => ({ run: (await mcpLogin()).logout }), {
        positionals: [MCP_SERVER],
        options: CONFIG_OPTIONS,
      }),
    ],
  }),
  simple("mock-model", "Serve a scripted model that speaks the Responses API.", () => import("./mock-model.js"), {
    options: [
      { long: "script", value: "FILE", description: "what it says (docs/scripted-model.md)" },
      { long: "port", value: "N", description: "the port on loopback; chosen by the system otherwise" },
    ],
    examples: [["turnkit mock-model --script script.json --port 4800", "then use base_url http://127.0.0.1:4800/v1"]],
  }),
  simple(
    "demo",
    "A whole turn without a key or a network: questions, a program in a terminal, a report.",
    () => import("./demo/index.js"),
    {
      options: [
        { long: "answer", value: "ID=TEXT", repeat: true, description: "answer for the person; without a terminal" },
        { long: "print-script", description: "print what the scripted model says, for `mock-model`" },
        ...THREAD_OPTIONS,
      ],
      examples: [
        ["turnkit demo", "in a terminal you are asked"],
        ["turnkit demo --answer colour=Amber </dev/null", "without one it answers by itself, and says so"],
      ],
    },
  ),
  simple(
    "doctor",
    "Check terminal, processes, configuration, model and sessions, and say how to fix what is wrong.",
    () => import("./doctor/index.js"),
    {
      options: [JSON_OPTION, ...THREAD_OPTIONS],
    },
  ),
  simple("completion", "Print completions for a shell.", () => import("./completion.js"), {
    positionals: [{ name: "SHELL", required: true, description: "bash, zsh or fish" }],
    examples: [["turnkit completion bash > /etc/bash_completion.d/turnkit", ""]],
  }),
];

export const ROOT: CommandSpec = {
  name: "",
  summary: "Turnkit, a coding agent for the terminal.",
  positionals: [{ name: "PROMPT", required: false, description: "the first message; without it you are asked" }],
  options: [IMAGE, REMOTE_OPTION, { long: "version", short: "V", description: "print the version" }, ...THREAD_OPTIONS],
  examples: [
    ["turnkit", "open the interface"],
    ['turnkit "explain this repository"', "open it with a first message"],
    ['turnkit exec "…"', "one task, no interface"],
    ["turnkit demo", "see it work without a key"],
  ],
  subcommands: COMMANDS,
  load: () => import("./interactive.js"),
};
