/** Who does not read is given up when what it was told unasked fills the memory; a large reply alone is no reason. */
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { jsonLinesTransport } from "@turnkit/rpc/stdio";
import { expect, it } from "vitest";
import { AppServer } from "../src/app-server.js";
import { FakeHost } from "./fake-host.js";

const LIMIT = 1024 * 1024;
const home = mkdtempSync(join(tmpdir(), "app-"));

/** A client on a pipe that has said hello and reads nothing. */
async function silent(patient: boolean) {
  const log: string[] = [];
  const server = new AppServer({
    home,
    host: async () => new FakeHost().host,
    log: (line) => log.push(line),
    ...(patient ? { patientUnsentBytes: LIMIT } : { unsentBytes: LIMIT }),
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const connection = server.accept(jsonLinesTransport(input, output), { patient });
  const params = { clientInfo: { name: "test", version: "1" } };
  input.write(`${JSON.stringify({ id: 0, method: "initialize", params })}\n`);
  await once(output, "readable");
  const tell = (bytes: number) => server.notify([connection], "warning", { message: "x".repeat(bytes) });
  return { server, connection, input, output, log, tell };
}

it.each([true, false])(
  "is given up at the limit, and finds whole messages and an end (patient: %s)",
  async (patient) => {
    const { server, output, log, tell } = await silent(patient);
    for (let count = 0; count < 100; count += 1) tell(64 * 1024);
    expect(log).toEqual([expect.stringMatching(/^disconnecting a client that does not read: \d+ bytes unsent$/)]);
    expect(output.writableLength).toBeLessThan(2 * LIMIT);
    let text = "";
    for await (const chunk of output.setEncoding("utf8")) text += chunk;
    for (const line of text.trimEnd().split("\n")) JSON.parse(line);
    await server.disconnected();
    await server.close();
  },
);

it.each([true, false])("is not given up for a reply that is larger (patient: %s)", async (patient) => {
  const { server, connection, input, output, log, tell } = await silent(patient);
  output.write(`${JSON.stringify({ id: 1, result: "x".repeat(3 * LIMIT) })}\n`);
  for (let count = 0; count < 10; count += 1) tell(1024);
  expect(log).toEqual([]);
  expect(connection.closed).toBe(false);
  output.resume();
  input.end();
  await server.disconnected();
  await server.close();
});
