import { describe, expect, test } from "vitest";
import { formatExecOutput, truncateMiddle, truncateOutput } from "./format-output.js";
import { OutputWindow } from "./output-window.js";

const encode = (text: string) => new TextEncoder().encode(text);

function content(text: string | Uint8Array, head?: number, tail?: number) {
  const window = new OutputWindow(head, tail);
  window.push(typeof text === "string" ? encode(text) : text);
  return window.content();
}

describe("the text the model reads", () => {
  const base = { chunkId: "0a1b2c", wallTimeMs: 158.4, maxOutputTokens: undefined };

  test("of an ended command", () => {
    expect(formatExecOutput({ ...base, exitCode: 3, sessionId: undefined, content: content("a\r\nb") }, 10_000)).toBe(
      "Chunk ID: 0a1b2c\nWall time: 0.1584 seconds\nProcess exited with code 3\nOriginal token count: 1\nOutput:\na\r\nb",
    );
  });

  test("of a live one", () => {
    expect(formatExecOutput({ ...base, exitCode: undefined, sessionId: 1234, content: content("") }, 10_000)).toBe(
      "Chunk ID: 0a1b2c\nWall time: 0.1584 seconds\nProcess running with session ID 1234\nOriginal token count: 0\nOutput:\n",
    );
  });

  test("the model's own limit caps what it asks for", () => {
    const long = { ...base, exitCode: 0, sessionId: undefined, content: content("x".repeat(100)) };
    expect(formatExecOutput({ ...long, maxOutputTokens: 1_000_000 }, 20)).toContain("Warning: truncated output");
    expect(formatExecOutput({ ...long, maxOutputTokens: 5 }, 20)).toContain("…20 tokens truncated…");
  });

  test("a call that asks for nothing gets the default, however much the model may read", () => {
    const long = { ...base, exitCode: 0, sessionId: undefined, content: content("x".repeat(100_000)) };
    expect(formatExecOutput(long, 50_000)).toContain("…15000 tokens truncated…");
    expect(formatExecOutput(long, 100)).toContain("…24900 tokens truncated…");
    expect(formatExecOutput({ ...long, maxOutputTokens: 30_000 }, 50_000)).not.toContain("truncated");
  });

  test("invalid UTF-8 is replaced, a byte order mark and NUL stay", () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61, 0xff, 0xfe, 0x62, 0x00);
    expect(truncateOutput(content(bytes), 100)).toBe("\ufeffa\ufffd\ufffdb\0");
  });
});

describe("truncation", () => {
  test.each([
    ["abcdefgh", 2, "abcdefgh"],
    [
      "abcdefghi",
      2,
      "Warning: truncated output (original token count: 3)\nTotal output lines: 1\n\nabcd…1 tokens truncated…fghi",
    ],
    ["abc", 0, "Warning: truncated output (original token count: 1)\nTotal output lines: 1\n\n…1 tokens truncated…"],
    [
      "a\nb\nc\n",
      1,
      "Warning: truncated output (original token count: 2)\nTotal output lines: 3\n\na\n…1 tokens truncated…c\n",
    ],
  ])("%j in %d tokens", (text, tokens, expected) => {
    expect(truncateOutput(content(text), tokens)).toBe(expected);
  });

  test("cuts between characters", () => {
    expect(truncateMiddle("é".repeat(10), 8)).toBe("éé…3 tokens truncated…éé");
    expect(truncateMiddle("é".repeat(10), 6)).toBe("é…4 tokens truncated…é");
    expect(truncateMiddle("😀".repeat(4), 7)).toBe("…3 tokens truncated…😀");
  });

  test("bytes that were already lost are named in place of the line count", () => {
    const window = new OutputWindow(4, 4);
    window.push(encode("abcdefghijkl"));
    const lost = window.content();
    expect(lost).toMatchObject({ totalBytes: 12, omittedBytes: 4 });
    expect(truncateOutput(lost, 100)).toBe("abcd\n... 4 bytes omitted ...\nijkl");
    expect(truncateOutput(lost, 2)).toBe(
      "Warning: truncated output (original token count: 3)\n... 4 bytes omitted ...\n\nabcd…7 tokens truncated…ijkl",
    );
  });
});

describe("the window", () => {
  test("keeps head and tail whatever the pieces", () => {
    const window = new OutputWindow(5, 5);
    for (const character of "0123456789abcdefghij") window.push(encode(character));
    expect(new TextDecoder().decode(window.content().bytes)).toBe("01234\n... 10 bytes omitted ...\nfghij");
  });

  test("draining into another keeps what was lost and the order", () => {
    const source = new OutputWindow(4, 4);
    source.push(encode("abcdefghijkl"));
    const target = new OutputWindow(8, 8);
    target.push(encode("xy"));
    source.drainInto(target);
    expect(source.isEmpty).toBe(true);
    expect(source.content()).toEqual({ bytes: new Uint8Array(0), totalBytes: 0, omittedBytes: 0 });
    source.push(encode("!"));
    source.drainInto(target);
    const { bytes, omittedBytes } = target.content();
    expect(new TextDecoder().decode(bytes)).toBe("xyabcd\n... 4 bytes omitted ...\nijkl!");
    expect(omittedBytes).toBe(4);
  });

  test("100 MB go through in bounded memory", () => {
    const window = new OutputWindow();
    const piece = new Uint8Array(1 << 20).fill(0x61);
    for (let at = 0; at < 100; at++) window.push(piece);
    const { totalBytes, omittedBytes, bytes } = window.content();
    expect(totalBytes).toBe(100 << 20);
    expect(omittedBytes).toBe(99 << 20);
    expect(bytes.length).toBeLessThan((1 << 20) + 100);
  });
});
