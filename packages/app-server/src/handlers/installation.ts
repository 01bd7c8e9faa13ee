/** The identity of this installation, kept in one small file, and the state of remote control, which is always off. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import type { AppParams } from "@turnkit/protocol/app";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A home that cannot be written gives a new id each time: the id identifies, it does not authorise. */
async function installationId(home: string): Promise<string> {
  const file = join(home, "installation_id");
  const known = (await readFile(file, "utf8").catch(() => "")).trim();
  if (uuid.test(known)) return known;
  const id = randomUUID();
  try {
    await mkdir(home, { recursive: true });
    await writeFile(file, id, { mode: 0o644 });
  } catch {
    return id;
  }
  return id;
}

export async function remoteControlStatus(home: string): Promise<AppParams<"remoteControl/status/changed">> {
  return {
    status: "disabled",
    serverName: hostname(),
    installationId: await installationId(home),
    environmentId: null,
  };
}
