import { setTimeout as sleep } from "node:timers/promises";

export async function run(scene) {
  const each = async (label, f, ms = 400) => {
    const client = await scene.initialized(label);
    await f(client);
    await sleep(ms);
    const still = !client.ended;
    scene.note(`${label} still open`, still);
    if (still) {
      const r = await client.request("environment/status", {}, { timeout: 1500, id: "probe" });
      if (r._timeout) scene.note(label, "no reply to probe");
      client.cut();
    }
  };
  await each("bad json", (c) => c.sendRaw("{nope"));
  await each("empty text", (c) => c.sendRaw(""));
  await each("whitespace", (c) => c.sendRaw("  \n "));
  await each("array", (c) => c.sendRaw("[]"));
  await each("batch", (c) => c.sendRaw('[{"id":1,"method":"environment/status"}]'));
  await each("number", (c) => c.sendRaw("5"));
  await each("string", (c) => c.sendRaw('"x"'));
  await each("null", (c) => c.sendRaw("null"));
  await each("empty object", (c) => c.sendRaw("{}"));
  await each("id only", (c) => c.sendRaw('{"id":1}'));
  await each("method number", (c) => c.sendRaw('{"id":1,"method":5}'));
  await each("id null", (c) => c.sendRaw('{"id":null,"method":"environment/status"}'));
  await each("id float", (c) => c.sendRaw('{"id":1.5,"method":"environment/status"}'));
  await each("id bool", (c) => c.sendRaw('{"id":true,"method":"environment/status"}'));
  await each("id string", (c) => c.sendRaw('{"id":"abc","method":"environment/status"}'));
  await each("id empty string", (c) => c.sendRaw('{"id":"","method":"environment/status"}'));
  await each("id negative", (c) => c.sendRaw('{"id":-7,"method":"environment/status"}'));
  await each("id huge", (c) => c.sendRaw('{"id":9223372036854775807,"method":"environment/status"}'));
  await each("id too big", (c) => c.sendRaw('{"id":9223372036854775808,"method":"environment/status"}'));
  await each("jsonrpc 2.0", (c) => c.sendRaw('{"jsonrpc":"2.0","id":1,"method":"environment/status","params":{}}'));
  await each("jsonrpc 1.0", (c) => c.sendRaw('{"jsonrpc":"1.0","id":1,"method":"environment/status","params":{}}'));
  await each("extra fields", (c) => c.sendRaw('{"id":1,"method":"environment/status","params":{},"zzz":1}'));
  await each("trace", (c) =>
    c.sendRaw(
      '{"id":1,"method":"environment/status","params":{},"trace":{"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}}',
    ),
  );
  await each("trace bad", (c) => c.sendRaw('{"id":1,"method":"environment/status","params":{},"trace":5}'));
  await each("params string", (c) => c.sendRaw('{"id":1,"method":"process/read","params":"x"}'));
  await each("params array", (c) => c.sendRaw('{"id":1,"method":"process/read","params":["p",null,null,null]}'));
  await each("params missing", (c) => c.sendRaw('{"id":1,"method":"process/read"}'));
  await each("params null", (c) => c.sendRaw('{"id":1,"method":"process/read","params":null}'));
  await each("params for status", (c) => c.sendRaw('{"id":1,"method":"environment/status","params":"zzz"}'));
  await each("duplicate id", (c) => {
    c.sendRaw('{"id":1,"method":"environment/status"}');
    c.sendRaw('{"id":1,"method":"environment/status"}');
  });
  await each("duplicate key", (c) => c.sendRaw('{"id":1,"id":2,"method":"environment/status"}'));
  await each("unknown notification", (c) => c.sendRaw('{"method":"nope","params":{}}'));
  await each("request method as notification", (c) =>
    c.sendRaw('{"method":"process/read","params":{"processId":"p"}}'),
  );
  await each("client response", (c) => c.sendRaw('{"id":77,"result":{}}'));
  await each("client error", (c) => c.sendRaw('{"id":77,"error":{"code":-1,"message":"x"}}'));
  await each("result and method", (c) => c.sendRaw('{"id":1,"method":"environment/status","result":1}'));
  await each("binary frame valid", (c) => {
    c.record(">", { _bin: "environment/status" });
    c.socket.send(Buffer.from('{"id":1,"method":"environment/status"}'), { binary: true });
  });
  await each("binary frame junk", (c) => {
    c.record(">", { _bin: "ff fe" });
    c.socket.send(Buffer.from([0xff, 0xfe]), { binary: true });
  });
  await each("trailing newline", (c) => c.sendRaw('{"id":1,"method":"environment/status"}\n'));
  await each("two messages in a frame", (c) =>
    c.sendRaw('{"id":1,"method":"environment/status"}\n{"id":2,"method":"environment/status"}'),
  );
  await each("BOM", (c) => c.sendRaw('\ufeff{"id":1,"method":"environment/status"}'));
  await each("lone surrogate", (c) => c.sendRaw('{"id":1,"method":"\\ud800"}'));
  await each("deep nesting", (c) =>
    c.sendRaw(`{"id":1,"method":"environment/status","params":${"[".repeat(200)}${"]".repeat(200)}}`),
  );
  await each("client ping", async (c) => {
    let pong = false;
    c.socket.on("pong", () => (pong = true));
    c.socket.ping("hey");
    await sleep(200);
    scene.note("pong", pong);
  });
  await each("close frame", (c) => c.close());
  await each("invalid utf8 text", (c) => {
    c.socket._socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]));
  });
  await each("unmasked frame", (c) => {
    c.socket._socket.write(Buffer.from([0x81, 0x02, 0x7b, 0x7d]));
  });
  const client = await scene.connect("malformed before init");
  client.sendRaw("{nope");
  await sleep(300);
  client.sendRaw('{"method":"nope"}');
  scene.note("closed", await client.waitForEnd(1500));
}
