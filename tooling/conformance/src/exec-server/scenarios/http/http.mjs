import http from "node:http";
import { b64, unb64 } from "../parameters.mjs";

export async function run(scene) {
  const client = await scene.initialized();
  const web = http.createServer((q, r) => {
    let b = "";
    q.on("data", (d) => (b += d));
    q.on("end", () => {
      if (q.url === "/redir") {
        r.writeHead(302, { location: "/ok" });
        return r.end("moved");
      }
      if (q.url === "/slow") return setTimeout(() => r.end("slow"), 1500);
      if (q.url === "/stream") {
        r.writeHead(200, { "content-type": "text/plain" });
        let i = 0;
        const iv = setInterval(() => {
          r.write(`part${++i}\n`);
          if (i === 3) {
            clearInterval(iv);
            r.end();
          }
        }, 60);
        return;
      }
      if (q.url === "/drop") {
        r.writeHead(200, { "content-length": "100" });
        r.write("abc");
        return setTimeout(() => q.socket.destroy(), 50);
      }
      if (q.url === "/big") return r.end(Buffer.alloc(300000, 120));
      if (q.url === "/404") {
        r.writeHead(404);
        return r.end("nf");
      }
      r.setHeader("x-multi", ["a", "b"]);
      r.setHeader("Date", "D");
      r.end(
        JSON.stringify({
          m: q.method,
          u: q.url,
          h: Object.fromEntries(Object.entries(q.headers).filter(([k]) => k !== "host")),
          b,
        }),
      );
    });
  });
  await new Promise((r) => web.listen(0, "127.0.0.1", r));
  const base = `http://127.0.0.1:${web.address().port}`;
  const fetchOnce = (o) =>
    client.request("http/request", { method: "GET", url: `${base}/ok`, requestId: "r", ...o }, { timeout: 6000 });
  await fetchOnce({});
  await fetchOnce({
    method: "POST",
    headers: [
      { name: "X-A", value: "1" },
      { name: "X-A", value: "2" },
      { name: "content-type", value: "text/plain" },
    ],
    bodyBase64: b64("body"),
  });
  await fetchOnce({ url: `${base}/redir` });
  await fetchOnce({ url: `${base}/redir`, redirectPolicy: "stop" });
  await fetchOnce({ url: `${base}/redir`, redirectPolicy: "zz" });
  await fetchOnce({ url: `${base}/slow`, timeoutMs: 200 });
  await fetchOnce({ url: `${base}/404` });
  await fetchOnce({ url: "ftp://x/" });
  await fetchOnce({ url: "nope" });
  await fetchOnce({ url: "http://127.0.0.1:1/" });
  await fetchOnce({ method: "BAD METHOD" });
  await fetchOnce({ headers: [{ name: "bad name", value: "x" }] });
  await fetchOnce({ headers: [{ name: "x", value: "a\nb" }] });
  await fetchOnce({ headers: [{ name: "x", valueEnvVar: "CODEX_HOME" }] });
  await fetchOnce({ headers: [{ name: "x", valueEnvVar: "NOPE_NOT_SET" }] });
  await fetchOnce({ headers: [{ name: "x", valueEnvVar: "" }] });
  await fetchOnce({ headers: [{ name: "x" }] });
  await fetchOnce({ headers: [{ name: "x", value: "v", valueEnvVar: "CODEX_HOME" }] });
  await fetchOnce({ headers: [{ name: "x", valueEnvVar: "OPENAI_API_KEY" }] });
  await fetchOnce({ url: `${base}/stream`, streamResponse: true, requestId: "s1" });
  await client.waitFor(
    (message) =>
      message.method === "http/request/bodyDelta" && message.params.requestId === "s1" && message.params.done,
  );
  await fetchOnce({ url: `${base}/drop`, streamResponse: true, requestId: "s2" });
  await client.waitFor(
    (message) =>
      message.method === "http/request/bodyDelta" && message.params.requestId === "s2" && message.params.done,
  );
  await fetchOnce({ url: `${base}/drop` });
  const p = [
    fetchOnce({ url: `${base}/stream`, streamResponse: true, requestId: "s3" }),
    fetchOnce({ url: `${base}/stream`, streamResponse: true, requestId: "s3" }),
  ];
  await Promise.all(p);
  await client.waitFor((message) => message.params?.requestId === "s3" && message.params.done);
  await fetchOnce({ url: `${base}/404`, streamResponse: true, requestId: "s5" });
  await client.waitFor((message) => message.params?.requestId === "s5" && message.params.done, 2000);
  client.quiet = true;
  await fetchOnce({ url: `${base}/big`, streamResponse: true, requestId: "s4" });
  await client.waitFor((message) => message.params?.requestId === "s4" && message.params.done);
  scene.note(
    "~300000 byte body deltas (max bytes)",
    Math.max(
      ...client.messages
        .filter((message) => message.params?.requestId === "s4")
        .map((message) => unb64(message.params.deltaBase64).length),
    ),
  );
  web.close();
  web.closeAllConnections();
}
