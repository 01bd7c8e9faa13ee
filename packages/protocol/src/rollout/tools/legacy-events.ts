/** Items of newer files as the events that 0.150 keeps in their place. */
import type { EventMsg, EventOf } from "../../agent/event.js";
import type { TurnItem } from "../../agent/turn-item.js";
import { userMessageEvent } from "../../agent/user-message.js";
import { pathOfPlace } from "../../app/convert/command-text.js";
import { isJsonObject } from "../../app/convert/json.js";

const noTime = { secs: 0, nanos: 0 };

/** What stands for the item; undefined where the item's own event stays. */
export function legacyEvents(event: EventOf<"item_completed">): EventMsg[] | undefined {
  const { item, turn_id: turnId } = event;
  switch (item.type) {
    case "UserMessage":
      return [userMessageEvent(item.content, item.client_id)];
    case "AgentMessage":
      return [
        {
          type: "agent_message",
          message: item.content.map((part) => part.text).join(""),
          phase: item.phase ?? null,
          memory_citation: item.memory_citation ?? null,
        },
      ];
    case "Reasoning":
      return [
        ...item.summary_text.map((text): EventMsg => ({ type: "agent_reasoning", text })),
        ...(item.raw_content ?? []).map((text): EventMsg => ({ type: "agent_reasoning_raw_content", text })),
      ];
    case "CommandExecution":
      return [commandEvent(item, event)];
    case "FileChange":
      return [
        {
          type: "patch_apply_end",
          call_id: item.id,
          turn_id: turnId,
          stdout: item.stdout ?? "",
          stderr: item.stderr ?? "",
          success: item.status === "completed",
          changes: item.changes,
          status: item.status ?? "completed",
        },
      ];
    case "McpToolCall":
      return [mcpEvent(item)];
    case "DynamicToolCall":
      return [
        {
          type: "dynamic_tool_call_response",
          call_id: item.id,
          turn_id: turnId,
          tool: item.tool,
          arguments: item.arguments ?? null,
          content_items: item.content_items ?? [],
          success: item.success ?? item.status === "completed",
          error: item.error ?? null,
          duration: item.duration ?? noTime,
        },
      ];
    case "WebSearch":
      return [
        { type: "web_search_end", call_id: item.id, query: item.query, action: item.action ?? { type: "other" } },
      ];
    case "ImageView":
      return [{ type: "view_image_tool_call", call_id: item.id, path: pathOfPlace(item.path) }];
    case "ImageGeneration":
      return [
        {
          type: "image_generation_end",
          call_id: item.id,
          status: item.status,
          revised_prompt: item.revised_prompt ?? null,
          result: item.result,
          saved_path: item.saved_path ?? null,
        },
      ];
    case "SubAgentActivity":
      return [
        {
          type: "sub_agent_activity",
          event_id: item.id,
          occurred_at_ms: event.completed_at_ms ?? 0,
          agent_thread_id: item.agent_thread_id,
          agent_path: item.agent_path,
          kind: item.kind,
        },
      ];
    case "ContextCompaction":
      return [{ type: "context_compacted" }];
    case "EnteredReviewMode":
      return [
        {
          type: "entered_review_mode",
          target: item.target ?? null,
          user_facing_hint: item.user_facing_hint ?? item.review ?? "",
          turn_id: turnId,
          item_id: item.id,
        },
      ];
    case "ExitedReviewMode":
      return [
        { type: "exited_review_mode", review_output: item.review_output ?? null, turn_id: turnId, item_id: item.id },
      ];
    default:
      return undefined;
  }
}

function commandEvent(
  item: Extract<TurnItem, { type: "CommandExecution" }>,
  event: EventOf<"item_completed">,
): EventMsg {
  const output = item.aggregated_output ?? item.stdout ?? "";
  return {
    type: "exec_command_end",
    call_id: item.id,
    process_id: item.process_id ?? null,
    turn_id: event.turn_id,
    ...(typeof event.started_at_ms === "number" ? { started_at_ms: event.started_at_ms } : {}),
    ...(typeof event.completed_at_ms === "number" ? { completed_at_ms: event.completed_at_ms } : {}),
    command: item.command,
    cwd: pathOfPlace(item.cwd),
    parsed_cmd: item.parsed_cmd,
    source: item.source ?? "agent",
    interaction_input: item.interaction_input ?? null,
    stdout: item.stdout ?? "",
    stderr: item.stderr ?? "",
    aggregated_output: output,
    exit_code: item.exit_code ?? -1,
    duration: item.duration ?? noTime,
    formatted_output: item.formatted_output ?? output,
    status: item.status,
  };
}

function mcpEvent(item: Extract<TurnItem, { type: "McpToolCall" }>): EventMsg {
  const failed = item.error ? { Err: item.error.message } : { Err: "the call has no result" };
  return {
    type: "mcp_tool_call_end",
    call_id: item.id,
    invocation: { server: item.server, tool: item.tool, arguments: item.arguments ?? null },
    ...(item.read_only_hint == null ? {} : { read_only_hint: item.read_only_hint }),
    duration: item.duration ?? noTime,
    result: isJsonObject(item.result) ? { Ok: item.result } : failed,
  };
}
