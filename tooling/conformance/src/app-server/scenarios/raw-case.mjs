// @ts-check

/** Sends a line as it is and gives the server time to answer. @param {import("../client.mjs").Client} client @param {string} label @param {string} line */
export async function rawCase(client, label, line, ms = 500) {
  client.scene.note(label);
  client.sendRaw(line);
  await client.scene.sleep(ms);
}
