/** The wait for output by itself: what ends it, what moves its end, and what it leaves behind. */
import { describe, expect, test } from "vitest";
import { ManualClock, ManualPause, settle } from "../testing/index.js";
import { ToolAborted } from "../tool.js";
import { collectOutput, type OutputSource } from "./collect-output.js";
import { OutputWindow } from "./output-window.js";

class FakeSource implements OutputSource {
  readonly pending = new OutputWindow();
  exited = false;
  outputClosed = false;
  readonly listeners = new Set<() => void>();

  onActivity(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  change(change: () => void): void {
    change();
    for (const listener of [...this.listeners]) listener();
  }

  print(text: string): void {
    this.change(() => this.pending.push(new TextEncoder().encode(text)));
  }

  exit(): void {
    this.change(() => {
      this.exited = true;
    });
  }

  close(): void {
    this.change(() => {
      this.outputClosed = true;
    });
  }
}

class WatchedPause extends ManualPause {
  listening = 0;
  override onChange(listener: (paused: boolean) => void): () => void {
    this.listening += 1;
    const undo = super.onChange(listener);
    return () => {
      this.listening -= 1;
      undo();
    };
  }
}

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function setup(deadline = 1_000) {
  const source = new FakeSource();
  const clock = new ManualClock();
  const pause = new WatchedPause();
  const abort = new AbortController();
  const ended: { text?: string; error?: unknown; at: number }[] = [];
  const begin = () =>
    void collectOutput({ source, clock, pause, signal: abort.signal, deadline }).then(
      (content) => ended.push({ text: decode(content.bytes), at: clock.now() }),
      (error: unknown) => ended.push({ error, at: clock.now() }),
    );
  /** Nothing of a finished wait listens any more. */
  const left = () => [source.listeners.size, clock.pendingTimers, pause.listening];
  return { source, clock, pause, abort, ended, begin, left };
}

describe("the deadline", () => {
  test("ends the wait to the millisecond, with what was printed until then", async () => {
    const { source, clock, ended, begin, left } = setup();
    source.print("before ");
    begin();
    await clock.advance(400);
    source.print("during");
    await clock.advance(599);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual([{ text: "before during", at: 1_000 }]);
    expect(left()).toEqual([0, 0, 0]);
  });

  test("that has already passed takes what there is and waits for nothing", async () => {
    const { source, clock, ended, begin } = setup(0);
    source.print("there");
    begin();
    await settle();
    expect(ended).toEqual([{ text: "there", at: 0 }]);
    const empty = setup(0);
    empty.begin();
    await settle();
    expect(empty.ended).toEqual([{ text: "", at: 0 }]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("is seen once more after output that comes in its very moment", async () => {
    const { source, clock, ended, begin } = setup(100);
    clock.after(100, () => source.print("just now"));
    begin();
    await clock.advance(100);
    expect(ended).toEqual([{ text: "just now", at: 100 }]);
    expect(source.pending.isEmpty).toBe(true);
  });

  test("that has passed does not make the wait read on while output keeps coming", async () => {
    const { source, ended, begin } = setup(0);
    source.print("first");
    const drain = source.pending.drainInto.bind(source.pending);
    source.pending.drainInto = (target) => {
      drain(target);
      source.pending.push(new TextEncoder().encode("more"));
    };
    begin();
    await settle();
    expect(ended).toEqual([{ text: "first", at: 0 }]);
  });
});

describe("the end of the process", () => {
  test("ends the wait at once when the output is closed too", async () => {
    const { source, clock, ended, begin, left } = setup();
    begin();
    await clock.advance(100);
    source.print("last");
    source.exited = true;
    source.close();
    await settle();
    expect(ended).toEqual([{ text: "last", at: 100 }]);
    expect(left()).toEqual([0, 0, 0]);
  });

  test("closed output alone does not", async () => {
    const { source, clock, ended, begin } = setup();
    begin();
    source.close();
    await clock.advance(999);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toHaveLength(1);
  });

  test("with open output costs 50 ms in all, however often something is printed in them", async () => {
    const { source, clock, ended, begin } = setup();
    begin();
    await clock.advance(100);
    source.exit();
    await clock.advance(30);
    source.print("a");
    await clock.advance(19);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual([{ text: "a", at: 150 }]);
  });

  test("with output that closes within them costs only that long", async () => {
    const { source, clock, ended, begin } = setup();
    begin();
    source.exit();
    await clock.advance(20);
    source.print("rest");
    source.close();
    await settle();
    expect(ended).toEqual([{ text: "rest", at: 20 }]);
  });

  test("shortly before the deadline does not move the deadline", async () => {
    const { source, clock, ended, begin } = setup(1_000);
    begin();
    await clock.advance(980);
    source.exit();
    await clock.advance(19);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual([{ text: "", at: 1_000 }]);
  });
});

describe("a pause", () => {
  test("moves the deadline by its length, each time", async () => {
    const { clock, pause, ended, begin, left } = setup();
    begin();
    await clock.advance(500);
    pause.set(true);
    await clock.advance(3_000);
    pause.set(false);
    await clock.advance(200);
    pause.set(true);
    await clock.advance(10);
    pause.set(false);
    await clock.advance(299);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual([{ text: "", at: 4_010 }]);
    expect(left()).toEqual([0, 0, 0]);
  });

  test("that is on from the start is waited for, even past the deadline", async () => {
    const { source, clock, pause, ended, begin } = setup(0);
    pause.set(true);
    source.print("x");
    begin();
    await clock.advance(5_000);
    expect(ended).toEqual([]);
    pause.set(false);
    await settle();
    expect(ended).toEqual([{ text: "x", at: 5_000 }]);
  });

  test("is not ended by output or by the process's end, and needs no timer", async () => {
    const { source, clock, pause, ended, begin, left } = setup();
    begin();
    await clock.advance(10);
    pause.set(true);
    await settle();
    expect(left()).toEqual([0, 0, 1]);
    source.print("meanwhile");
    source.exited = true;
    source.close();
    await clock.advance(2_000);
    expect(ended).toEqual([]);
    pause.set(false);
    await settle();
    expect(ended).toEqual([{ text: "meanwhile", at: 2_010 }]);
  });

  test("moves the 50 ms after the end as well", async () => {
    const { source, clock, pause, ended, begin } = setup();
    begin();
    source.exit();
    await clock.advance(20);
    pause.set(true);
    await clock.advance(400);
    pause.set(false);
    await clock.advance(29);
    expect(ended).toEqual([]);
    await clock.advance(1);
    expect(ended).toEqual([{ text: "", at: 450 }]);
  });
});

describe("an interruption", () => {
  test("ends the wait and leaves everything to the next reader, in order", async () => {
    const { source, clock, abort, ended, begin, left } = setup();
    source.print("taken ");
    begin();
    await clock.advance(10);
    expect(source.pending.isEmpty).toBe(true);
    source.pending.push(new TextEncoder().encode("newer"));
    abort.abort();
    await settle();
    expect(ended).toEqual([{ error: expect.any(ToolAborted), at: 10 }]);
    expect(decode(source.pending.content().bytes)).toBe("taken newer");
    expect(left()).toEqual([0, 0, 0]);
  });

  test("before the wait takes nothing", async () => {
    const { source, abort, ended, begin } = setup();
    source.print("x");
    abort.abort();
    begin();
    await settle();
    expect(ended).toEqual([{ error: expect.any(ToolAborted), at: 0 }]);
    expect(decode(source.pending.content().bytes)).toBe("x");
  });

  test("ends a paused wait too", async () => {
    const { clock, pause, abort, ended, begin, left } = setup();
    pause.set(true);
    begin();
    await clock.advance(50);
    abort.abort();
    await settle();
    expect(ended).toEqual([{ error: expect.any(ToolAborted), at: 50 }]);
    expect(left()).toEqual([0, 0, 0]);
  });

  test("ends a paused wait as an interruption even when its deadline has passed", async () => {
    const { source, pause, abort, ended, begin } = setup(0);
    pause.set(true);
    source.print("x");
    begin();
    await settle();
    abort.abort();
    await settle();
    expect(ended).toEqual([{ error: expect.any(ToolAborted), at: 0 }]);
    expect(decode(source.pending.content().bytes)).toBe("x");
  });

  test("leaves no listener on the turn's signal, however long the wait", async () => {
    const { source, clock, abort, ended, begin } = setup();
    let listening = 0;
    const { addEventListener, removeEventListener } = AbortSignal.prototype;
    abort.signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
      if (given[0] === "abort") listening += 1;
      addEventListener.apply(abort.signal, given);
    };
    abort.signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
      if (given[0] === "abort") listening -= 1;
      removeEventListener.apply(abort.signal, given);
    };
    begin();
    for (let at = 0; at < 5; at++) {
      source.print(".");
      await clock.advance(10);
    }
    expect(listening).toBe(1);
    await clock.advance(1_000);
    expect([ended.length, listening]).toEqual([1, 0]);
  });
});
