/** Commands of the person that are run at set moments of a session and may decide about them. */
export type { CommandHandler, HookDeclarations } from "./hook-config.js";
export { HOOK_EVENTS } from "./hook-event.js";
export { HookRunner } from "./hook-runner.js";
export { isEnabled, type TrustStatus, trustOf } from "./hook-trust.js";
export { type LoadedHooks, type LoadHooksOptions, loadHooks } from "./load-hooks.js";
export { CommandSessionHooks, hookShell } from "./session-hooks.js";
