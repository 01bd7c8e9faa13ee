/** Damaged files: at least as tolerant as the newest reference, every loss named, nothing else lost. */
import { describe, expect, test } from "vitest";
import { projectThread, type RolloutRecord, rebuildModelInput } from "../../src/rollout/index.js";
import { mutations, plainFiles, read, text, versions } from "./corpus.js";

const lineFeed = 0x0a;
const soak = process.env.TURNKIT_SOAK === "1";
const bases = {
  legacy128: text("0.128.0", "exec-default.jsonl"),
  pag171: text("0.171.0", "exec-default.jsonl"),
  leg34: text("0.34.0", "exec-default.jsonl"),
};

const split = (content: string) => content.split("\n").filter((line) => line !== "");
const join = (lines: readonly string[]) => `${lines.join("\n")}\n`;
const edit = (content: string, change: (line: Record<string, unknown>, index: number) => void) =>
  join(
    split(content).map((line, index) => {
      const value = JSON.parse(line) as Record<string, unknown>;
      change(value, index);
      return JSON.stringify(value);
    }),
  );
const editHead = (content: string, change: (payload: Record<string, unknown>) => void) =>
  edit(content, (line, index) => {
    if (index === 0) change(line.payload as Record<string, unknown>);
  });
/** A line in the middle that opens no turn: what the reference's table was made with. */
const middleOf = (lines: readonly string[]) => {
  const from = Math.floor(lines.length / 2);
  const plain = lines
    .slice(from)
    .findIndex((line) => line.includes('"agent_message"') || line.includes('"AgentMessage"'));
  return from + Math.max(0, plain);
};
const insert = (content: string, line: string) => {
  const lines = split(content);
  lines.splice(Math.floor(lines.length / 2), 0, line);
  return join(lines);
};

type Mutation = { readonly make: (content: string) => string | Uint8Array; readonly lost?: number };

const made: Record<string, Mutation> = {
  none: { make: (content) => content },
  noFinalNewline: { make: (content) => content.trimEnd() },
  lastLineCut: { make: (content) => content.trimEnd().slice(0, -20), lost: 1 },
  midLineCut: {
    make: (content) => {
      const lines = split(content);
      const middle = middleOf(lines);
      lines[middle] = (lines[middle] as string).slice(0, 40);
      return join(lines);
    },
    lost: 1,
  },
  midLineCutGlued: {
    make: (content) => {
      const lines = split(content);
      const middle = middleOf(lines);
      lines.splice(middle, 2, (lines[middle] as string).slice(0, 40) + lines[middle + 1]);
      return join(lines);
    },
    lost: 1,
  },
  nulLine: { make: (content) => insert(content, "\0".repeat(64)), lost: 1 },
  emptyLines: { make: (content) => content.replaceAll("\n", "\n\n") },
  crlf: { make: (content) => content.replaceAll("\n", "\r\n") },
  bom: { make: (content) => `\ufeff${content}` },
  unknownTopType: {
    make: (content) => insert(content, '{"timestamp":"2026-01-01T00:00:00Z","type":"later","payload":{}}'),
  },
  unknownEvent: {
    make: (content) =>
      insert(content, '{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"later"}}'),
  },
  unknownResponseItem: {
    make: (content) =>
      insert(content, '{"timestamp":"2026-01-01T00:00:00Z","type":"response_item","payload":{"type":"later"}}'),
  },
  unknownFieldEverywhere: {
    make: (content) =>
      edit(content, (line) => {
        line.later = 1;
        (line.payload as Record<string, unknown>).later = { a: 1 };
      }),
  },
  numericTimestamp: {
    make: (content) =>
      edit(content, (line) => {
        line.timestamp = 1_796_064_691_797;
      }),
  },
  missingTimestamp: {
    make: (content) =>
      edit(content, (line) => {
        delete line.timestamp;
      }),
  },
  noMeta: { make: (content) => join(split(content).slice(1)) },
  metaSecond: {
    make: (content) => {
      const [first, second, ...rest] = split(content);
      return join([second as string, first as string, ...rest]);
    },
  },
  aliasTurnEvents: {
    make: (content) =>
      content.replaceAll('"task_started"', '"turn_started"').replaceAll('"task_complete"', '"turn_complete"'),
  },
  dupOrdinal: {
    make: (content) =>
      edit(content, (line) => {
        if ("ordinal" in line) line.ordinal = 3;
      }),
  },
  gapOrdinal: {
    make: (content) =>
      edit(content, (line) => {
        if (typeof line.ordinal === "number" && line.ordinal > 5) line.ordinal += 100;
      }),
  },
  noOrdinal: {
    make: (content) =>
      edit(content, (line) => {
        delete line.ordinal;
      }),
  },
  metaIdMismatch: {
    make: (content) =>
      editHead(content, (head) => {
        head.id = "00000000-0000-7000-8000-000000000000";
      }),
  },
  metaMinimal: {
    make: (content) =>
      editHead(content, (head) => {
        for (const key of Object.keys(head)) {
          if (!["id", "timestamp", "cwd", "originator", "cli_version"].includes(key)) delete head[key];
        }
      }),
  },
  metaNoCwd: {
    make: (content) =>
      editHead(content, (head) => {
        delete head.cwd;
      }),
    lost: 1,
  },
  metaOddSource: {
    make: (content) =>
      editHead(content, (head) => {
        head.source = "toaster";
      }),
  },
  metaOddHistoryMode: {
    make: (content) =>
      editHead(content, (head) => {
        head.history_mode = "quantum";
      }),
  },
  badUtf8: {
    make: (content) => {
      const bytes = Buffer.from(
        insert(content, '{"timestamp":"x","type":"event_msg","payload":{"type":"warning","message":"?"}}'),
      );
      bytes[bytes.indexOf('"?"') + 1] = 0xff;
      return bytes;
    },
    lost: 1,
  },
  u2028: {
    make: (content) =>
      insert(
        content,
        '{"timestamp":"2026-01-01T00:00:00Z","type":"event_msg","payload":{"type":"warning","message":"a\u2028b\u2029c"}}',
      ),
  },
};

function summary(records: readonly RolloutRecord[]) {
  const thread = projectThread(records);
  return {
    turns: thread.turns.length,
    items: thread.turns.reduce((sum, turn) => sum + turn.items.length, 0),
    input: rebuildModelInput(records).length,
  };
}

test("every row of the table is made here", () => {
  expect(Object.keys(made).sort()).toEqual(Object.keys(mutations).sort());
});

describe.each(Object.entries(bases))("%s", (name, content) => {
  test.each(Object.entries(made))("%s", async (mutation, { make, lost = 0 }) => {
    const records = await read(make(content));
    const losses = records.filter((record) => record.kind === "loss");
    expect(losses.length).toBe(lost);
    for (const loss of losses) expect(loss.reason).not.toBe("");
    const whole = summary(await read(content));
    const ours = summary(records);
    const theirs = /^ok turns=(\d+) items=(\d+)/.exec(mutations[mutation]?.[name] ?? "");
    const floor = theirs ? { turns: Number(theirs[1]), items: Number(theirs[2]) } : whole;
    expect(ours.turns).toBeGreaterThanOrEqual(floor.turns);
    // Each lost record can carry one item, in files that the reference reads and in those it does not.
    expect(ours.items).toBeGreaterThanOrEqual(floor.items - lost);
    expect(ours.input).toBeGreaterThanOrEqual(whole.input - lost);
  });
});

test("cutting a file inside its last three lines loses the cut record only", async () => {
  for (const version of versions) {
    const files = plainFiles(version);
    for (const file of soak ? files : files.slice(0, 3)) {
      const bytes = Buffer.from(text(version, file));
      const all = await read(bytes);
      const last = all.slice(-4);
      const from = last[0] && last.length === 4 ? last[0].end : 0;
      const before = all.filter((record) => record.end <= from);
      const step = soak ? 1 : Math.max(1, Math.floor((bytes.length - from) / 15));
      for (let length = from; length < bytes.length; length += step) {
        const cut = await read(bytes.subarray(from, length));
        const whole = all.filter((record) => record.end > from && record.end <= length);
        const kept = cut.filter((record) => record.kind !== "loss");
        const losses = cut.filter((record) => record.kind === "loss");
        const rest = length - (whole.at(-1)?.end ?? from);
        const next = all[before.length + whole.length];
        // A record whose bytes are all there counts, though its line feed is missing.
        const complete = next !== undefined && bytes[length] === lineFeed && length === next.end - 1;
        expect({ version, file, length, kept: kept.length }).toEqual({
          version,
          file,
          length,
          kept: whole.length + (complete ? 1 : 0),
        });
        expect(losses.map((loss) => loss.reason)).toEqual(rest > 0 && !complete ? ["the line is cut off"] : []);
      }
    }
  }
});
