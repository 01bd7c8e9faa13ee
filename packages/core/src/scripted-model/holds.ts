/** Responses that wait until they are released or their client hangs up. */
import type { ServerResponse } from "node:http";

interface Hold {
  readonly requestNumber: number;
  readonly resolve: () => void;
}

export class Holds {
  readonly #held: Hold[] = [];

  get count(): number {
    return this.#held.length;
  }

  /** Resolves true when released, false when the client hung up. */
  wait(requestNumber: number, response: ServerResponse): Promise<boolean> {
    return new Promise((resolve) => {
      const hold: Hold = { requestNumber, resolve: () => settle(true) };
      const settle = (released: boolean): void => {
        response.off("close", hungUp);
        const index = this.#held.indexOf(hold);
        if (index >= 0) this.#held.splice(index, 1);
        resolve(released);
      };
      const hungUp = (): void => settle(false);
      if (response.destroyed) resolve(false);
      else {
        response.once("close", hungUp);
        this.#held.push(hold);
      }
    });
  }

  /** Lets the response that has waited longest go on; its request's number, or undefined when none waits. */
  release(): number | undefined {
    const hold = this.#held[0];
    hold?.resolve();
    return hold?.requestNumber;
  }
}
