/** The interface as the actions of its commands use it. */
import type { AppConnection } from "../../client/app-connection.js";
import type { Draft } from "../composer/composer.js";
import type { AppState } from "../state/app-state.js";

export interface AppContext {
  readonly state: AppState;
  readonly connection: AppConnection;
  update(state: AppState): void;
  /** Starts a turn, or steers the one that runs. A draft that cannot be sent comes back. */
  send(draft: Draft): Promise<void>;
  /** Resolves when the present state is on the screen. */
  drawn(): Promise<void>;
  /** Gives the terminal to somebody else for as long as the action takes. */
  suspend<T>(action: () => Promise<T>): Promise<T>;
  quit(): void;
}
