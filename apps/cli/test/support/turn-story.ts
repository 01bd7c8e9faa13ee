/** What one turn of a single message tells, in this order and nothing else. */
export const story = [
  "thread/status/changed active",
  "turn/started",
  "item/started userMessage",
  "item/completed userMessage",
  "item/started agentMessage",
  "item/agentMessage/delta",
  "item/completed agentMessage",
  "thread/tokenUsage/updated",
  "thread/status/changed idle",
  "turn/completed",
];
