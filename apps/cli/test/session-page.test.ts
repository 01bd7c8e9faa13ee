/** An exported session page in a browser: complete, quiet, readable in both themes and on a narrow screen. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser, chromium } from "./support/browser.js";
import { Home, PROCESS_TIMEOUT } from "./support/cli.js";
import { sampleSession } from "./support/sample-session.js";

const reason = chromium ? "" : " (skipped: Chromium is not installed)";
const lightness = { light: (channel: number) => channel > 200, dark: (channel: number) => channel < 60 };

/** Runs in the page: the texts whose colour is too near to what is behind them. */
const LOW_CONTRAST = `(() => {
  const parse = (color) => { const [r, g, b, a = 1] = color.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const luminance = ({ r, g, b }) => { const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4); return 0.2126 * x + 0.7152 * y + 0.0722 * z; };
  const behind = (element) => { for (let at = element; at; at = at.parentElement) { const color = parse(getComputedStyle(at).backgroundColor); if (color.a === 1) return color; if (color.a > 0) throw new Error("a background that shines through"); } return { r: 255, g: 255, b: 255 }; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const checked = []; const low = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    if (textContent.trim() === "" || parentElement.closest("svg")) continue;
    const [one, two] = [luminance(parse(getComputedStyle(parentElement).color)), luminance(behind(parentElement))];
    const ratio = (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
    checked.push(textContent);
    if (ratio < 4.5) low.push(ratio.toFixed(2) + " " + textContent.trim().slice(0, 60));
  }
  return { checked: checked.length, low };
})()`;

describe.skipIf(!chromium)(`a session page in a browser${reason}`, { timeout: PROCESS_TIMEOUT }, () => {
  let home: Home;
  let browser: Browser;
  let url: string;

  beforeAll(async () => {
    home = new Home();
    const file = home.write("rollout-2026-01-02T09-30-00-01990000-0000-7000-8000-00000000000a.jsonl", sampleSession());
    const page = path.join(home.path, "page.html");
    expect(await home.run(["rollout", "export", "--html", "-o", page, file])).toMatchObject({ code: 0, stderr: "" });
    url = pathToFileURL(page).href;
    browser = await Browser.open(chromium as string);
  }, PROCESS_TIMEOUT);

  afterAll(async () => {
    await browser?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  it.each([
    { scheme: "light", width: 1100, height: 900 },
    { scheme: "dark", width: 1100, height: 900 },
    { scheme: "light", width: 400, height: 800 },
    { scheme: "dark", width: 400, height: 800 },
  ] as const)("$scheme at $width px: readable, fitting and without complaints", async (view) => {
    await browser.show(url, view);
    const folder = process.env.TURNKIT_PICTURES;
    if (folder) writeFileSync(path.join(folder, `page-${view.scheme}-${view.width}.png`), await browser.picture());

    const told = browser.events.filter(({ method }) =>
      /^(?:Log\.entryAdded|Runtime\.(?:exceptionThrown|consoleAPICalled))$/.test(method),
    );
    expect(told).toEqual([]);
    const asked = browser.events.flatMap(({ method, params }) =>
      method === "Network.requestWillBeSent" ? [(params.request as { url: string }).url] : [],
    );
    expect(asked.filter((address) => address !== url && !address.startsWith("data:"))).toEqual([]);
    expect(asked).toContain(url);

    const background = await browser.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    for (const channel of background.match(/\d+/g) ?? []) expect(lightness[view.scheme](Number(channel))).toBe(true);
    const contrast = await browser.evaluate<{ checked: number; low: string[] }>(LOW_CONTRAST);
    expect(contrast.low).toEqual([]);
    expect(contrast.checked).toBeGreaterThan(80);

    const fits = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]";
    const [needed, there] = await browser.evaluate<[number, number]>(fits);
    expect(needed).toBeLessThanOrEqual(there);
  });

  it("shows every turn, command, question, answer, image and the chart, folded parts too", async () => {
    await browser.show(url, { scheme: "light", width: 1100, height: 900 });
    await browser.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })");
    const shown = await browser.evaluate<string>("document.body.innerText");
    for (const words of [
      "Turn 1",
      "Turn 4",
      "complete after 1 min 23 s",
      "interrupted",
      "complete after 0.9 s",
      "The last line of a file goes missing.\nCan you find out why?",
      "<b>Ask me</b> if something is unclear & stay brief.",
      "$ printf 'a\\nb' | node main.js",
      "exit 0",
      "0.2 s",
      "$ npm test",
      "exit 1",
      "13 s",
      "not ok 29 - keeps line 29",
      "Typed into terminal 7",
      "1 + 1\\n",
      "Fix the reader",
      "Looking at the reader",
      "How many lines does an empty file have?",
      "As wc says.",
      "but write it down",
      "••••••",
      "not answered",
      "*** Update File: src/read-lines.ts",
      '+  if (rest !== "") lines.push(rest);',
      "docs__search",
      "line endings",
      "The stream ended before the answer was complete.",
      "What I found",
      "const rest = buffer.slice(start); // never pushed",
      "Nothing else reads this way.",
      "add a test for an empty file",
      "Tokens of 5 requests",
      "21,900",
      "/home/ada/projects/line-reader",
      "2026-01-02 09:30:",
    ])
      expect(shown).toContain(words);
    expect(shown).not.toMatch(/s3cret|Wall time|Chunk ID|\*\*drops/);

    const all = <T>(selector: string, of: string): Promise<T[]> =>
      browser.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((e) => ${of})`);
    expect(await all("article > h2", "e.id || e.parentElement.id")).toEqual(["turn-1", "turn-2", "turn-3", "turn-4"]);
    expect(await all("nav a", "e.getAttribute('href')")).toEqual(["#turn-1", "#turn-2", "#turn-3", "#turn-4"]);
    expect(await all("section.question li.taken", "e.innerText.split('\\n').join(' ')")).toEqual([
      "● None As wc says.",
    ]);
    expect(await all("img", "[e.naturalWidth, e.getBoundingClientRect().width > 8]")).toEqual([
      [24, true],
      [24, true],
    ]);
    expect(await all("th, td", "e.innerText")).toEqual([
      "file",
      "lines",
      "before",
      "read-lines.ts",
      "12",
      "11",
      "main.ts",
      "4",
      "4",
    ]);
    expect(await all("section a", "[e.innerText, e.href]")).toEqual([
      ["the notes", "https://example.com/notes"],
      ["https://example.com/raw", "https://example.com/raw"],
    ]);
    const bars = await all<[string, number, number]>(
      "svg rect",
      "[e.getAttribute('class'), e.getBoundingClientRect().width, e.getBoundingClientRect().height]",
    );
    expect(bars.map(([kind]) => kind)).toEqual(Array.from({ length: 5 }, () => ["cached", "fresh", "output"]).flat());
    for (const [, width, height] of bars) expect(Math.min(width, height)).toBeGreaterThan(0.5);
    // The last request is the largest and fills the chart.
    expect(Math.round(bars.slice(-3).reduce((sum, [, , height]) => sum + height, 0))).toBe(120);
  });
});
