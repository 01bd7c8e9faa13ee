import { mkdir, mkdtemp, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { UserInput } from "@turnkit/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findSkills, skillRoots } from "./find-skills.js";
import { textReferences } from "./mentions.js";
import { mentionedPlugins, requiredServers, selectSkills } from "./select-skills.js";
import type { Skill } from "./skill.js";
import { catalogueBudget, skillCatalogue } from "./skill-catalogue.js";
import { skillMessage } from "./skill-message.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "skills-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function skillFile(at: string, text: string): Promise<string> {
  const file = path.join(folder, at, "SKILL.md");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}

const skill = (name: string, more: Partial<Skill> = {}): Skill => ({
  name,
  description: `About ${name}.`,
  shortDescription: undefined,
  path: `/skills/${name}/SKILL.md`,
  foundAt: `/skills/${name}/SKILL.md`,
  scope: "user",
  enabled: true,
  plugin: undefined,
  dependencies: [],
  ...more,
});

const text = (value: string): UserInput => ({ type: "text", text: value, text_elements: [] });

describe("skillRoots", () => {
  it("goes from the project's own folders to the person's and the plugins', then down the tree", () => {
    const manifest = {
      name: "q",
      version: undefined,
      keywords: [],
      skills: "/q/skills",
      mcpServers: undefined,
      interface: {},
    };
    const plugin = { id: "q@m", name: "q", marketplace: "m", folder: "/q", enabled: true, manifest, settings: {} };
    const folders = { home: "/home/.turnkit", userHome: "/home", cwd: "/p/a/b", projectRoot: "/p" };
    const roots = skillRoots({ ...folders, plugins: [plugin] });
    expect(roots.map((root) => `${root.scope} ${root.folder}`)).toEqual([
      "repo /p/.turnkit/skills",
      "repo /p/.codex/skills",
      "user /home/.turnkit/skills",
      "user /home/.agents/skills",
      "user /q/skills",
      "repo /p/.agents/skills",
      "repo /p/a/.agents/skills",
      "repo /p/a/b/.agents/skills",
    ]);
  });
});

describe("findSkills", () => {
  it("reads frontmatter, takes the folder's name for a missing one, and finds each file once", async () => {
    const first = await skillFile("one/first", "---\nname: first\ndescription: >\n  Two\n  lines.\n---\nDo it.\n");
    const deep = await skillFile(
      "one/a/b/unnamed",
      "---\r\ndescription: 'Quoted: yes'\r\nmetadata:\r\n  short-description: Short\r\n---\r\n",
    );
    await mkdir(path.join(folder, "one/first/agents"));
    await writeFile(
      path.join(folder, "one/first/agents/openai.yaml"),
      "dependencies:\n  tools:\n    - type: mcp\n      value: tracker\n      transport: streamable_http\n      url: https://example.org/mcp\n    - nonsense\n",
    );
    await symlink(path.join(folder, "one"), path.join(folder, "one/loop"));
    await symlink(path.join(folder, "one"), path.join(folder, "two"));
    const { skills, problems } = await findSkills([
      { folder: path.join(folder, "one"), scope: "repo" },
      { folder: path.join(folder, "two"), scope: "user" },
      { folder: path.join(folder, "missing"), scope: "user" },
    ]);
    expect(problems).toEqual([]);
    expect(
      skills.map(({ name, description, shortDescription, path: at, scope }) => [
        name,
        description,
        shortDescription,
        at,
        scope,
      ]),
    ).toEqual([
      ["first", "Two lines.", undefined, first, "repo"],
      ["unnamed", "Quoted: yes", "Short", deep, "repo"],
    ]);
    expect(skills[0]!.dependencies).toEqual([
      {
        type: "mcp",
        value: "tracker",
        description: undefined,
        transport: "streamable_http",
        command: undefined,
        url: "https://example.org/mcp",
      },
    ]);
  });

  it.each([
    ["no frontmatter", "Just text", "SKILL.md must begin with frontmatter between two lines of ---"],
    ["no description", "---\nname: x\n---\n", "description is missing"],
    ["a list", "---\n- a\n---\n", "frontmatter must be a mapping"],
    [
      "a long name",
      `---\nname: ${"x".repeat(65)}\ndescription: d\n---\n`,
      "name must not be longer than 64 characters",
    ],
    ["broken YAML", "---\nname: [\n---\n", expect.stringContaining("frontmatter is not YAML")],
  ])("reports a file with %s", async (name, contents, message) => {
    const root = path.join("bad", name.replaceAll(" ", "-"));
    const file = await skillFile(path.join(root, "s"), contents);
    const { skills, problems } = await findSkills([{ folder: path.join(folder, root), scope: "user" }]);
    expect(skills).toEqual([]);
    expect(problems).toEqual([{ path: file, message }]);
  });
});

describe("textReferences", () => {
  it.each([
    ["use $one and $two-x, not $one", ["one", "two-x"]],
    ["a$b", ["b"]],
    ["$ns:name.", ["ns:name"]],
    ["$PATH and $Home and $xdg_config_home", []],
    ["costs $ 5", []],
    ["[$one] is (no link) $", ["one"]],
  ])("finds the names in %j", (input, names) => {
    expect(textReferences(input).names).toEqual(names);
  });

  it("finds links and what kind they are of", () => {
    const { names, links } = textReferences(
      "[$a](/x/SKILL.md) [$b] ( app://b ) [$c](mcp://c) [@d](plugin://d@m) [$e]() [@f](/x/SKILL.md) [$g](skill://g)",
    );
    expect(links.map(({ name, path: at, kind }) => `${name} ${kind} ${at}`)).toEqual(
      ["a skill /x/SKILL.md", "c mcp mcp://c", "d plugin plugin://d@m", "g skill skill://g"].toSpliced(
        1,
        0,
        "b app app://b",
      ),
    );
    expect(names).toEqual(["e"]);
  });
});

describe("selectSkills", () => {
  const skills = [
    skill("one"),
    skill("two"),
    skill("twin"),
    skill("twin", { path: "/other/SKILL.md", foundAt: "/link/SKILL.md" }),
    skill("off", { enabled: false }),
  ];
  const select = (...input: UserInput[]) => selectSkills(input, skills).map((chosen) => chosen.path);

  it("takes chosen skills by path, whatever they are called", () => {
    expect(select({ type: "skill", name: "wrong", path: "/skills/one/SKILL.md" })).toEqual(["/skills/one/SKILL.md"]);
    expect(select({ type: "skill", name: "one", path: "skills/one/SKILL.md" })).toEqual([]);
    expect(select({ type: "skill", name: "none", path: "/none" })).toEqual([]);
  });

  it("takes names and links from text, each skill once, the chosen first", () => {
    expect(select(text("$two then $one"))).toEqual(["/skills/one/SKILL.md", "/skills/two/SKILL.md"]);
    expect(
      select(text("$one [$one](/skills/one/SKILL.md)"), { type: "skill", name: "two", path: "/skills/two/SKILL.md" }),
    ).toEqual(["/skills/two/SKILL.md", "/skills/one/SKILL.md"]);
    expect(select(text("[$x](/link/SKILL.md)"))).toEqual(["/other/SKILL.md"]);
  });

  it("takes a name only when one enabled skill has it", () => {
    expect(select(text("$twin $off $none"))).toEqual([]);
  });

  it("lets a chosen skill keep the text from choosing another of its name", () => {
    expect(select(text("$one"), { type: "skill", name: "one", path: "/nowhere" })).toEqual([]);
  });
});

it("knows which servers and plugins are asked for", () => {
  const input: UserInput[] = [
    text("see [$a](mcp://alpha) and [@p](plugin://p@m) and [$e](mcp://)"),
    { type: "mention", name: "b", path: "mcp://beta" },
    { type: "mention", name: "a", path: "mcp://alpha" },
    { type: "mention", name: "app", path: "app://x" },
  ];
  expect(requiredServers(input)).toEqual(["alpha", "beta"]);
  expect(mentionedPlugins(input)).toEqual(["p@m"]);
});

describe("skillCatalogue", () => {
  it("lists enabled skills with their files", () => {
    const { text: list, shortened } = skillCatalogue([skill("one"), skill("off", { enabled: false })], 8_000)!;
    expect(list).toContain("\n- one: About one. (file: /skills/one/SKILL.md)\n");
    expect(list).not.toContain("off");
    expect(list).toMatch(/^<skills_instructions>\n## Skills\n[\s\S]*\n<\/skills_instructions>$/);
    expect(shortened).toBe(false);
    expect(skillCatalogue([skill("off", { enabled: false })], 8_000)).toBeUndefined();
  });

  it("shortens the long descriptions when there is no room, and never drops a skill", () => {
    const many = Array.from({ length: 40 }, (_, index) =>
      skill(`s${index}`, { description: index === 0 ? "Short." : "x".repeat(900) }),
    );
    const { text: list, shortened } = skillCatalogue(many, 8_000)!;
    expect(shortened).toBe(true);
    for (let index = 0; index < 40; index++) expect(list).toContain(`- s${index}: `);
    expect(list).toContain("- s0: Short. (file:");
    expect(list.length).toBeLessThan(9_500);
  });

  it("has a budget of two hundredths of the window", () => {
    expect([catalogueBudget(undefined), catalogueBudget(100_000)]).toEqual([8_000, 8_000]);
    expect(catalogueBudget(258_400)).toBe(20_672);
  });
});

describe("skillMessage", () => {
  it("carries the whole file, or says why it cannot", async () => {
    const file = await skillFile("message", "---\ndescription: d\n---\nBody\n");
    const found = skill("message", { path: file });
    expect(await skillMessage(found)).toEqual({
      type: "message",
      item: {
        type: "message",
        role: "user",
        content: [
          {
            type: "input_text",
            text: `<skill>\n<name>message</name>\n<path>${file}</path>\n---\ndescription: d\n---\nBody\n\n</skill>`,
          },
        ],
      },
    });
    await unlink(file);
    expect(await skillMessage(found)).toEqual({
      type: "warning",
      message: expect.stringMatching(/^Failed to load skill message at .*SKILL\.md: ENOENT/),
    });
  });
});
