/** One list on this process's terminal, outside of the interface. */
import { isBound, type Keymap } from "./keymap/keymap.js";
import { type Picker, type PickerRow, pickerKey, viewPicker } from "./state/picker.js";
import { InlineScreen } from "./terminal/inline-screen.js";
import { KeyDecoder, type TerminalInput } from "./terminal/key-decoder.js";
import { ProcessTerminal, type TerminalEvents, type TerminalPort } from "./terminal/process-terminal.js";
import { paletteFromEnvironment } from "./terminal/style.js";

const ESCAPE_MS = 30;

export interface PickerOptions {
  readonly title: string;
  readonly rows: readonly PickerRow[];
  /** Rows that come while the person looks at the first ones; they are added at the end. */
  readonly more?: AsyncIterable<readonly PickerRow[]>;
  readonly keymap: Keymap;
}

export interface Picked {
  /** Of the chosen row; null: none was chosen. */
  readonly id: string | null;
  /** null: the person chose, or left. */
  readonly endedBy: NodeJS.Signals | null;
}

export function runPicker(
  { title, rows, more, keymap }: PickerOptions,
  terminal: TerminalPort = new ProcessTerminal(),
): Promise<Picked> {
  const screen = new InlineScreen((text) => terminal.write(text), paletteFromEnvironment(process.env));
  const decoder = new KeyDecoder();
  let picker: Picker | null = { purpose: "resume", title, rows, search: "", selected: 0 };
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    const draw = (): void => {
      if (!picker || stopped) return;
      const size = terminal.size();
      const { lines, cursor } = viewPicker(picker, size.columns, size.rows - 1);
      screen.draw({ commit: [], live: lines, cursor }, size);
    };
    const end = (picked: Picked): void => {
      clearTimeout(timer);
      picker = null;
      screen.clear();
      terminal.stop();
      resolve(picked);
    };
    const stopForAWhile = async (): Promise<void> => {
      if (stopped) return;
      stopped = true;
      screen.clear();
      terminal.stop();
      await terminal.stopProcess();
      stopped = false;
      terminal.start(events);
      draw();
    };
    const take = (inputs: readonly TerminalInput[]): void => {
      for (const input of inputs) {
        if (input.type !== "key" || !picker) continue;
        if (isBound(keymap.global.suspend, input)) {
          void stopForAWhile();
          continue;
        }
        const step = pickerKey(picker, input, keymap);
        if (step.picker) picker = step.picker;
        else end({ id: step.chosen?.id ?? null, endedBy: null });
      }
      draw();
    };
    const events: TerminalEvents = {
      input: (text) => {
        clearTimeout(timer);
        take(decoder.push(text));
        if (decoder.waiting) timer = setTimeout(() => take(decoder.flush()), ESCAPE_MS);
      },
      resized: draw,
      ended: (signal) => end({ id: null, endedBy: signal }),
      stopping: () => void stopForAWhile(),
      continued: () => {
        screen.reset();
        draw();
      },
    };
    const addMore = async (): Promise<void> => {
      for await (const found of more ?? []) {
        if (!picker) return;
        picker = { ...picker, rows: [...picker.rows, ...found] };
        draw();
      }
    };
    terminal.start(events);
    draw();
    // What is there can be chosen from.
    addMore().catch(() => {});
  });
}
