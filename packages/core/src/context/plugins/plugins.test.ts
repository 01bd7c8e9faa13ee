import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSkills, skillRoots } from "../skills/find-skills.js";
import { installedPlugins } from "./installed-plugins.js";
import { findMarketplaces, marketplaceFolders } from "./marketplaces.js";
import { pluginHints } from "./plugin-hint.js";

let home: string;
let market: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "plugins-"));
  market = path.join(home, "market");
});
afterAll(() => rm(home, { recursive: true }));

async function file(at: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(at), { recursive: true });
  await writeFile(at, typeof content === "string" ? content : JSON.stringify(content));
}

const SKILL = "---\nname: dance\ndescription: A dance.\n---\nDo it.\n";

async function plugin(folder: string, manifest: object): Promise<void> {
  await file(path.join(folder, ".codex-plugin/plugin.json"), manifest);
  await file(path.join(folder, "skills/dance/SKILL.md"), SKILL);
}

const cache = (...parts: string[]) => path.join(home, "plugins/cache", ...parts);

describe("installedPlugins", () => {
  it("finds the newest version of each that the configuration names, and says what is broken", async () => {
    for (const version of ["0.9.0", "0.10.0"]) await plugin(cache("m", "plug", version), { name: "plug", version });
    await plugin(cache("m", "off", "1"), { name: "off" });
    await file(cache("m", "broken", "1", ".codex-plugin/plugin.json"), "{");
    await plugin(cache("m", "greedy", "1"), { name: "greedy", skills: "../../../../.." });
    const on = { enabled: true };
    const table = {
      "plug@m": on,
      "off@m": { enabled: false },
      "broken@m": on,
      "greedy@m": on,
      "missing@m": on,
      "../plug@m": on,
      plug: on,
      "plug@m@m": on,
    };
    const found = await installedPlugins(home, table);
    expect(found.plugins.map(({ id, enabled, folder }) => [id, enabled, path.basename(folder)])).toEqual([
      ["plug@m", true, "0.10.0"],
      ["off@m", false, "1"],
    ]);
    expect(found.problems.map(({ path }) => path)).toEqual([cache("m", "broken", "1"), cache("m", "greedy", "1")]);
    expect(await installedPlugins(home, undefined)).toEqual({ plugins: [], problems: [] });
  });

  it("whose skills bear its name give one hint each, and only while they are on", async () => {
    const { plugins } = await installedPlugins(home, { "plug@m": { enabled: true } });
    const { skills } = await findSkills(
      skillRoots({ home, userHome: undefined, cwd: home, projectRoot: home, plugins }),
    );
    expect(skills.map(({ name, plugin }) => [name, plugin?.id])).toEqual([["plug:dance", "plug@m"]]);
    expect(pluginHints(["plug@m", "unknown@m", "plug"], skills, [])).toEqual([
      {
        type: "message",
        role: "developer",
        content: [
          {
            type: "input_text",
            text: "Capabilities from the `plug` plugin:\n- Skills from this plugin are prefixed with `plug:`.\nUse these plugin-associated capabilities to help solve the task.",
          },
        ],
      },
    ]);
    const off = skills.map((skill) => ({ ...skill, enabled: false }));
    expect(pluginHints(["plug@m"], off, [])).toEqual([]);
  });

  it("whose servers run are told of, in order, with the skills or without any", () => {
    const plugin = { id: "plug@m", name: "plug" };
    const servers = ["b", "a"].map((name) => ({ name, plugin }));
    const other = { name: "c", plugin: { id: "other@m", name: "other" } };
    const [hint, ...more] = pluginHints(["plug@m"], [], [...servers, other]);
    expect(more).toEqual([]);
    expect(hint).toMatchObject({
      content: [
        {
          text: "Capabilities from the `plug` plugin:\n- MCP servers from this plugin available in this session: `a`, `b`.\nUse these plugin-associated capabilities to help solve the task.",
        },
      ],
    });
  });
});

describe("findMarketplaces", () => {
  it("reads those of the configuration and of folders, each once, and no plugin from outside", async () => {
    await plugin(path.join(market, "plugins/plug"), { name: "plug", version: "1", keywords: ["a", 1] });
    await file(path.join(market, ".agents/plugins/marketplace.json"), {
      name: "market",
      plugins: [
        { name: "plug", source: { source: "local", path: "./plugins/plug" } },
        { name: "far", source: { source: "url", url: "https://example.org/far.git" } },
        { name: "escape", source: "../plugins/cache/m/plug/0.9.0" },
        { name: "no name!" },
        7,
      ],
    });
    await file(path.join(home, ".tmp/marketplaces/git/.agents/plugins/marketplace.json"), { name: 3 });
    const table = {
      market: { source_type: "local", source: market },
      git: { source_type: "git", source: "https://example.org/m.git" },
      "../x": { source_type: "git" },
    };
    const { marketplaces, problems } = await findMarketplaces([market, ...marketplaceFolders(home, table), home]);
    expect(marketplaces).toHaveLength(1);
    expect(marketplaces[0]?.plugins.map(({ name, folder, manifest }) => [name, folder, manifest?.keywords])).toEqual([
      ["plug", path.join(market, "plugins/plug"), ["a"]],
      ["far", undefined, undefined],
      ["escape", undefined, undefined],
    ]);
    expect(problems).toEqual([
      {
        path: path.join(home, ".tmp/marketplaces/git/.agents/plugins/marketplace.json"),
        message: expect.stringContaining("name must be of letters"),
      },
    ]);
  });
});
