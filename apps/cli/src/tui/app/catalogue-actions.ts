/** `/skills` and `/mcp`: what the model can be given beside its own tools. */
import type { AppResult } from "@turnkit/protocol/app";
import { withCell } from "../state/app-state.js";
import { bold, dim, type Line, lineOf, plain, tinted } from "../terminal/style.js";
import type { AppContext } from "./app-context.js";

const say = (app: AppContext, ...lines: readonly Line[]): void =>
  app.update(withCell(app.state, { kind: "lines", lines }));

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

export async function listSkills(app: AppContext): Promise<void> {
  const { data } = await app.connection.request("skills/list", { cwds: [app.state.settings.cwd] });
  const skills = data.flatMap((entry) => entry.skills);
  const errors = data.flatMap((entry) => entry.errors);
  if (skills.length === 0 && errors.length === 0) {
    return say(app, lineOf(dim("· No skills. A folder with a SKILL.md in .turnkit/skills is one.")));
  }
  say(
    app,
    [bold("Skills"), dim("  $NAME in a message uses one")],
    ...skills.map(
      (skill): Line => [
        plain("  "),
        tinted("accent", `$${skill.name}`),
        ...(skill.enabled ? [] : [tinted("warning", " (switched off)")]),
        dim(`  ${oneLine(skill.shortDescription ?? skill.description)}`),
      ],
    ),
    ...errors.map((error): Line => [tinted("warning", `  ! ${error.path}: ${oneLine(error.message)}`)]),
  );
}

type McpServer = AppResult<"mcpServerStatus/list">["data"][number];

const STATES: Readonly<Record<NonNullable<McpServer["runtimeStatus"]>, string>> = {
  notStarted: "not started",
  starting: "starting",
  connected: "connected",
  authenticationRequired: "needs a login",
  failed: "failed to start",
  cancelled: "start was cancelled",
  disabled: "switched off",
};

export async function listMcpServers(app: AppContext): Promise<void> {
  const { threadId } = app.state.settings;
  const { data } = await app.connection.request("mcpServerStatus/list", threadId === null ? {} : { threadId });
  if (data.length === 0) {
    return say(app, lineOf(dim("· No MCP servers. [mcp_servers.NAME] in config.toml adds one.")));
  }
  say(
    app,
    [bold("MCP servers")],
    ...data.flatMap((server): Line[] => {
      const tools = Object.keys(server.tools);
      const state = server.runtimeStatus ? STATES[server.runtimeStatus] : "";
      const login = server.authStatus === "notLoggedIn" ? "not logged in" : "";
      const facts = [state, login, `${tools.length} ${tools.length === 1 ? "tool" : "tools"}`].filter(Boolean);
      return [
        [plain("  "), tinted("accent", server.name), dim(`  ${facts.join(" · ")}`)],
        ...(tools.length === 0 ? [] : [[dim(`    ${tools.join(", ")}`)]]),
      ];
    }),
  );
}
