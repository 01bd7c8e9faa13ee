// @ts-check
import { connect } from "node:net";

/** Sends bytes to a port; what came back when the other side closed or the time was up. @param {number} port @param {string} text @returns {Promise<string>} */
export function rawHttp(port, text, ms = 700) {
  return new Promise((resolve) => {
    let received = "";
    const socket = connect(port, "127.0.0.1");
    const timer = setTimeout(() => socket.destroy(), ms);
    socket.on("data", (bytes) => (received += bytes.toString("latin1")));
    socket.on("error", (error) => (received = `ERR ${/** @type {NodeJS.ErrnoException} */ (error).code}`));
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(received);
    });
    socket.write(text);
  });
}
