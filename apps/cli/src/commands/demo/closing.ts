/** What is said after the demo: where the session is, how to go on, how to use a real model. */
import { bold, dim, type Line, plain, tinted } from "../../tui/terminal/style.js";

export function resumeCommand(threadId: string, prompt: string): string {
  const program = process.env.TURNKIT_START === "1" ? "npm start --" : "turnkit";
  return `${program} resume ${threadId} "${prompt}"`;
}

export function closingLines(threadId: string, rolloutPath: string | null): Line[] {
  return [
    [dim("─".repeat(40))],
    [bold("Session file: "), plain(rolloutPath ?? "none")],
    [bold("Go on with:   "), tinted("code", resumeCommand(threadId, "What did I choose?"))],
    [],
    [bold("With a real model: "), dim("any server with the Responses API")],
    [plain("  "), tinted("code", "export OPENAI_API_KEY=…")],
    [dim("  or, for another server (a local one, say), in config.toml of ~/.turnkit:")],
    [plain("  "), tinted("code", 'model = "NAME"')],
    [plain("  "), tinted("code", 'model_provider = "local"')],
    [plain("  "), tinted("code", "[model_providers.local]")],
    [plain("  "), tinted("code", 'base_url = "http://127.0.0.1:8080/v1"')],
  ];
}
