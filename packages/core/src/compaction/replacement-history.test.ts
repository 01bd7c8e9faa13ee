import type { ResponseItem } from "@turnkit/protocol";
import { describe, expect, it } from "vitest";
import { markItem } from "../history/metadata.js";
import { KEPT_TOKENS, replacementHistory } from "./replacement-history.js";

const image = { type: "input_image" as const, image_url: "data:image/png;base64,AAAA", detail: "high" as const };
const part = (text: string) => ({ type: "input_text" as const, text });
const user = (...content: Extract<ResponseItem, { type: "message" }>["content"]): ResponseItem =>
  markItem({ type: "message", role: "user", content }, { turnId: "old", epochMs: 5_000 });
const assistant = (text: string): ResponseItem => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const developer: ResponseItem = { type: "message", role: "developer", content: [part("told")] };

function replaced(items: readonly ResponseItem[], options: Partial<Parameters<typeof replacementHistory>[0]> = {}) {
  return replacementHistory({
    items,
    summaries: [],
    summary: "SUMMARY",
    marks: { turnId: "now", epochMs: 9_000 },
    surroundings: [],
    ...options,
  });
}
const contents = (items: readonly ResponseItem[]) =>
  items.map((item) =>
    item.type === "message" ? item.content.map((each) => ("text" in each ? each.text : each.type)) : [],
  );

describe("what stands for a history", () => {
  it("is the user's messages as they were, and the summary", () => {
    const items = [developer, user(part("one"), image, part("two")), assistant("a"), user(image)];
    expect(contents(replaced(items))).toEqual([["one", "input_image", "two"], ["input_image"], ["SUMMARY"]]);
  });

  it("is made of new items that say which turn they come from", () => {
    const old = user(part("one"));
    const [kept, summary] = replaced([old]);
    expect(kept).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      internal_chat_message_metadata_passthrough: { turn_id: "old", create_time: 5 },
    });
    expect((kept as { id?: string }).id).not.toBe((old as { id?: string }).id);
    expect(summary).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      role: "user",
      internal_chat_message_metadata_passthrough: { turn_id: "now", content_item_kinds: ["compaction.summary"] },
    });
    expect(JSON.stringify(summary)).not.toContain("create_time");
  });

  it.each([
    "<environment_context>\n</environment_context>",
    "<turn_aborted>\nx\n</turn_aborted>",
    "<user_shell_command>\nx\n</user_shell_command>",
    "<external_my.source>x</external_my.source>",
    "<skill>\nx\n</skill>",
    "# AGENTS.md instructions for /proj",
  ])("has no part in it for what the program said: %j", (text) => {
    expect(contents(replaced([user(part(text)), user(part("mine"))]))).toEqual([["mine"], ["SUMMARY"]]);
  });

  it("leaves out earlier summaries, by their mark or by their words", () => {
    const first = replaced([user(part("one"))]);
    const unmarked: ResponseItem = { type: "message", role: "user", content: [part("OLD WORDS")] };
    const again = replaced([...first, unmarked], { summaries: ["OLD WORDS"], summary: "NEXT" });
    expect(contents(again)).toEqual([["one"], ["NEXT"]]);
  });

  it("has what is told within a turn before the newest message", () => {
    const items = [user(part("one")), user(part("two"))];
    expect(contents(replaced(items, { surroundings: [developer] }))).toEqual([["one"], ["told"], ["two"], ["SUMMARY"]]);
    expect(contents(replaced([], { surroundings: [developer] }))).toEqual([["told"], ["SUMMARY"]]);
  });

  it("keeps the newest messages within the budget and cuts the oldest of them in its middle", () => {
    const long = (name: string) => user(part(`${name}-begin ${"x".repeat(36_000)} ${name}-end`));
    const [cut, second, third] = contents(replaced([long("a"), long("b"), long("c"), long("d")]));
    expect(third?.[0]).toMatch(/^d-begin/);
    expect(second?.[0]).toMatch(/^c-begin/);
    expect(cut?.[0]).toMatch(/^b-begin x+…\d+ tokens truncated…x+ b-end$/);
    const bytes = [cut, second, third].reduce((sum, each) => sum + Buffer.byteLength(each?.[0] ?? ""), 0);
    expect(bytes / 4).toBeLessThan(KEPT_TOKENS + 20);
  });

  it("counts attachments, and says where some were left out", () => {
    const many = user(part("look"), ...Array.from({ length: 8 }, () => image));
    const items = [user(part("before"), ...Array.from({ length: 4 }, () => image)), many];
    const [cut, kept] = contents(replaced(items));
    expect(kept?.filter((each) => each === "input_image")).toHaveLength(8);
    expect(cut).toEqual(["before", expect.stringMatching(/^attachments of this message were left out/)]);
  });
});
