export { assistantMessage, FakeModel, type FakeReply, Gate, items, say, toolCall } from "./fake-model.js";
