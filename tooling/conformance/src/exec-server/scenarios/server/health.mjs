import { rawHttp } from "../raw-http.mjs";

export async function run(scene) {
  const server = await scene.startServer();
  const port = Number(new URL(server.url).port);
  const hdr = (r) =>
    r
      .replace(/date: .*/i, "date: <DATE>")
      .replace(/sec-websocket-accept: .*/i, "sec-websocket-accept: <ACCEPT>")
      .split("\r\n");
  const WSH =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const R = async (label, req) => scene.note(label, hdr(await rawHttp(port, req, 250)));
  const H = "Host: 127.0.0.1\r\n";
  for (const m of ["GET", "HEAD", "POST", "OPTIONS"])
    for (const p of ["/readyz", "/healthz", "/", "/nope"])
      await R(`${m} ${p}`, `${m} ${p} HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
  await R("GET /readyz Origin", `GET /readyz HTTP/1.1\r\n${H}Origin: http://evil.example\r\nConnection: close\r\n\r\n`);
  await R("GET /readyz HTTP/1.0", `GET /readyz HTTP/1.0\r\n\r\n`);
  await R("WS / no origin", `GET / HTTP/1.1\r\n${H}${WSH}\r\n`);
  await R("WS / origin evil", `GET / HTTP/1.1\r\n${H}Origin: http://evil.example\r\n${WSH}\r\n`);
  await R("WS / origin null", `GET / HTTP/1.1\r\n${H}Origin: null\r\n${WSH}\r\n`);
  await R("WS / origin localhost", `GET / HTTP/1.1\r\n${H}Origin: http://127.0.0.1:${port}\r\n${WSH}\r\n`);
  await R("WS / origin empty", `GET / HTTP/1.1\r\n${H}Origin: \r\n${WSH}\r\n`);
  await R("WS /foo", `GET /foo HTTP/1.1\r\n${H}${WSH}\r\n`);
  await R("WS /?a=b", `GET /?a=b HTTP/1.1\r\n${H}${WSH}\r\n`);
  await R("WS / foreign Host", `GET / HTTP/1.1\r\nHost: evil.example\r\n${WSH}\r\n`);
  await R("WS POST /", `POST / HTTP/1.1\r\n${H}${WSH}\r\n`);
  await R(
    "WS / no key",
    `GET / HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  await R(
    "WS / version 8",
    `GET / HTTP/1.1\r\n${H}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 8\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
  );
  await R(
    "WS / subprotocol+deflate",
    `GET / HTTP/1.1\r\n${H}${WSH}Sec-WebSocket-Protocol: foo\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n`,
  );
}
