import { rawCase } from "../raw-case.mjs";

export async function run(scene) {
  const client = await scene.start();
  await client.init();
  await scene.sleep(200);
  await rawCase(client, "not-json", "hello world\n");
  await rawCase(client, "half-json", '{"id":1,"method":\n');
  await rawCase(client, "empty-line", "\n");
  await rawCase(client, "json-array", "[]\n");
  await rawCase(client, "json-batch", '[{"id":1,"method":"thread/loaded/list","params":{}}]\n');
  await rawCase(client, "json-number", "5\n");
  await rawCase(client, "json-null", "null\n");
  await rawCase(client, "empty-object", "{}\n");
  await rawCase(client, "only-id", '{"id":9}\n');
  await rawCase(client, "jsonrpc-2.0-field", '{"jsonrpc":"2.0","id":10,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "unknown-method", '{"id":11,"method":"foo/bar","params":{}}\n');
  await rawCase(client, "unknown-method-noparams", '{"id":12,"method":"foo/bar"}\n');
  await rawCase(client, "unknown-notification", '{"method":"foo/bar"}\n');
  await rawCase(client, "missing-params", '{"id":13,"method":"turn/start"}\n');
  await rawCase(client, "params-null", '{"id":14,"method":"turn/start","params":null}\n');
  await rawCase(client, "params-array", '{"id":15,"method":"turn/start","params":[]}\n');
  await rawCase(client, "missing-threadId", '{"id":16,"method":"turn/start","params":{"input":[]}}\n');
  await rawCase(client, "threadId-number", '{"id":17,"method":"turn/start","params":{"threadId":5,"input":[]}}\n');
  await rawCase(client, "null-id", '{"id":null,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "float-id", '{"id":1.5,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "neg-id", '{"id":-3,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "string-id", '{"id":"s","method":"thread/loaded/list","params":{}}\n');
  await rawCase(
    client,
    "dup-id",
    '{"id":20,"method":"thread/loaded/list","params":{}}\n{"id":20,"method":"thread/loaded/list","params":{}}\n',
  );
  await rawCase(client, "big-id", '{"id":9223372036854775807,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "huge-id", '{"id":92233720368547758070,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "unknown-response", '{"id":99,"result":{}}\n');
  await rawCase(client, "unknown-error-response", '{"id":98,"error":{"code":-1,"message":"x"}}\n');
  await rawCase(client, "bad-error-response", '{"id":97,"error":"x"}\n');
  await rawCase(
    client,
    "dup-init",
    '{"id":30,"method":"initialize","params":{"clientInfo":{"name":"y","version":"1"}}}\n',
  );
  await rawCase(client, "dup-initialized", '{"method":"initialized"}\n');
  await rawCase(
    client,
    "thread-not-found",
    '{"id":31,"method":"turn/start","params":{"threadId":"01a22db4-eb18-7a30-b419-aa902ae17000","input":[]}}\n',
  );
  await rawCase(client, "thread-bad-uuid", '{"id":32,"method":"turn/start","params":{"threadId":"nope","input":[]}}\n');
  await rawCase(client, "crlf", '{"id":33,"method":"thread/loaded/list","params":{}}\r\n');
  await rawCase(client, "leading-space", '   {"id":34,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(client, "bom", '\ufeff{"id":35,"method":"thread/loaded/list","params":{}}\n');
  await rawCase(
    client,
    "two-on-one-line",
    '{"id":36,"method":"thread/loaded/list","params":{}}{"id":37,"method":"thread/loaded/list","params":{}}\n',
  );
  await rawCase(client, "invalid-escape", '{"id":38,"method":"foo\\x"}\n');
  await rawCase(client, "split-write-a", '{"id":39,"method":"thread/loa');
  await rawCase(client, "split-write-b", 'ded/list","params":{}}\n');
  await rawCase(client, "unknown-extra-param", '{"id":40,"method":"thread/loaded/list","params":{"bogus":1}}\n');
  await rawCase(client, "trace-field", '{"id":41,"method":"thread/loaded/list","params":{},"trace":null,"extra":1}\n');
  await rawCase(client, "still-alive", '{"id":50,"method":"thread/loaded/list","params":{}}\n');
  const buf = Buffer.concat([Buffer.from('{"id":51,"method":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}\n')]);
  scene.note("invalid-utf8");
  client.child.stdin.write(buf);
  await scene.sleep(500);
  await rawCase(client, "alive-after-utf8", '{"id":52,"method":"thread/loaded/list","params":{}}\n');
}
