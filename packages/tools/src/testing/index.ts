export { callContext, functionToolCall, type TestContext, toolTurn } from "./call-context.js";
export { FakeProcess, FakeProcessHost } from "./fake-process-host.js";
export { ManualClock, ManualPause, settle } from "./manual-clock.js";
