import http from "node:http";

export async function run(scene) {
  await scene.startServer({ env: { MY_HDR: "envval", OPENAI_API_KEY: "sk", CODEX_ACCESS_TOKEN: "t" } });
  const client = await scene.initialized();
  const web = http.createServer((q, r) => {
    r.writeHead(200, { connection: "close" });
    r.end(JSON.stringify(q.headers.x ?? null));
  });
  await new Promise((r) => web.listen(0, "127.0.0.1", r));
  const fetchOnce = (h) =>
    client.request("http/request", {
      method: "GET",
      url: `http://127.0.0.1:${web.address().port}/`,
      requestId: "r",
      headers: [h],
    });
  await fetchOnce({ name: "x", value: "Bearer ", valueEnvVar: "MY_HDR" });
  await fetchOnce({ name: "x", value: "", valueEnvVar: "MY_HDR" });
  await fetchOnce({ name: "x", value: "", valueEnvVar: "NOPE_UNSET" });
  await fetchOnce({ name: "x", value: "", valueEnvVar: "" });
  await fetchOnce({ name: "x", value: "", valueEnvVar: "OPENAI_API_KEY" });
  await fetchOnce({ name: "x", value: "", valueEnvVar: "CODEX_ACCESS_TOKEN" });
  await fetchOnce({ name: "x", value: "v", valueEnvVar: null });
  web.close();
  web.closeAllConnections();
}
