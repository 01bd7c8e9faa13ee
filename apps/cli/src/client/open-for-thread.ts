/**
 * Connects for an earlier thread. A thread of the built-in scripted provider gets its model back, because the server
 * that played it ended with the program that started it.
 */
import type { Thread } from "@turnkit/protocol/app";
import { laterScript } from "../commands/demo/script.js";
import type { AppConnection } from "./app-connection.js";
import { type ConnectOptions, connect } from "./connect.js";
import { findThread, type ThreadChoice } from "./find-thread.js";
import { SCRIPTED_PROVIDER, scriptedOverrides, startScript } from "./scripted-provider.js";

export interface OpenedFor extends AsyncDisposable {
  readonly connection: AppConnection;
  /** null: none was named. */
  readonly thread: Thread | null;
}

export async function connectForThread(options: ConnectOptions, choice: ThreadChoice): Promise<OpenedFor> {
  const connection = await connect(options);
  let thread: Thread | null;
  try {
    thread = await findThread(connection, choice);
  } catch (error) {
    await connection[Symbol.asyncDispose]();
    throw error;
  }
  if (
    thread?.modelProvider !== SCRIPTED_PROVIDER ||
    options.remote !== undefined ||
    overridesProvider(options.overrides)
  ) {
    return { connection, thread, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() };
  }
  await connection[Symbol.asyncDispose]();
  const model = await startScript(
    laterScript(),
    "the demo's script",
    (message) => void process.stderr.write(`${message}\n`),
  );
  const scripted = await connect({ ...options, overrides: [...scriptedOverrides(model.url), ...options.overrides] });
  return {
    connection: scripted,
    thread,
    async [Symbol.asyncDispose]() {
      await scripted[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

/** The command line says itself where the model is. */
const overridesProvider = (overrides: readonly string[]): boolean =>
  overrides.some((entry) => /^\s*(?:model_provider|model_providers)\b/.test(entry));
