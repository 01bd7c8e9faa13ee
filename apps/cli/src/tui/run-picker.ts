/** One list on this process's terminal, outside of the interface. */
import { defaultKeymap } from "./keymap/keymap.js";
import { type Picker, type PickerRow, pickerKey, viewPicker } from "./state/picker.js";
import { InlineScreen } from "./terminal/inline-screen.js";
import { KeyDecoder, type TerminalInput } from "./terminal/key-decoder.js";
import { ProcessTerminal, type TerminalPort } from "./terminal/process-terminal.js";
import { paletteFromEnvironment } from "./terminal/style.js";

const ESCAPE_MS = 30;

/** The id of the chosen row; null when the person left. */
export function runPicker(
  list: { readonly title: string; readonly rows: readonly PickerRow[] },
  terminal: TerminalPort = new ProcessTerminal(),
): Promise<string | null> {
  const screen = new InlineScreen((text) => terminal.write(text), paletteFromEnvironment(process.env));
  const decoder = new KeyDecoder();
  let picker: Picker = { purpose: "resume", search: "", selected: 0, ...list };
  let timer: NodeJS.Timeout | undefined;
  return new Promise((resolve) => {
    const draw = (): void => {
      const size = terminal.size();
      const { lines, cursor } = viewPicker(picker, size.columns, size.rows - 1);
      screen.draw({ commit: [], live: lines, cursor }, size);
    };
    const end = (id: string | null): void => {
      clearTimeout(timer);
      screen.clear();
      terminal.stop();
      resolve(id);
    };
    const take = (inputs: readonly TerminalInput[]): void => {
      for (const input of inputs) {
        if (input.type !== "key") continue;
        const step = pickerKey(picker, input, defaultKeymap);
        if (!step.picker) {
          end(step.chosen?.id ?? null);
          return;
        }
        picker = step.picker;
      }
      draw();
    };
    terminal.start({
      input: (text) => {
        clearTimeout(timer);
        take(decoder.push(text));
        if (decoder.waiting) timer = setTimeout(() => take(decoder.flush()), ESCAPE_MS);
      },
      resized: draw,
      ended: () => end(null),
      continued: () => {
        screen.reset();
        draw();
      },
    });
    draw();
  });
}
