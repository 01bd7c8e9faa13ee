/** Stands between a WebSocket client and its server and writes down what they say. */
import { connectWebSocket, listenWebSocket } from "@turnkit/rpc/websocket";

export interface Recorded {
  readonly direction: "client" | "server";
  // biome-ignore lint/suspicious/noExplicitAny: messages of any method
  readonly message: any;
}

export async function recordingRelay(server: string) {
  const traffic: Recorded[] = [];
  const listening = await listenWebSocket({
    host: "127.0.0.1",
    port: 0,
    binary: "refuse",
    onHttp: (_request, response) => void response.writeHead(404).end(),
    onConnection: (client) => {
      client.pause();
      void connectWebSocket(server).then((upstream) => {
        client.onMessage((text) => {
          traffic.push({ direction: "client", message: JSON.parse(text) });
          upstream.send(text);
        });
        upstream.onMessage((text) => {
          traffic.push({ direction: "server", message: JSON.parse(text) });
          client.send(text);
        });
        client.onClose(() => void upstream.close());
        upstream.onClose(() => void client.close());
        client.resume();
      });
    },
  });
  return {
    address: `ws://127.0.0.1:${listening.port}`,
    traffic,
    [Symbol.asyncDispose]: () => listening.close(),
  };
}
