/**
 * A program of somebody who has installed this package and nothing else. It is compiled and run outside of the
 * repository, without Node's types; it uses each entry point and prints what it found as one JSON object.
 */
import type { RequestUserInputEvent, UserInput } from "@turnkit/protocol";
import { PROTOCOL_VERSION, RpcErrorCode } from "@turnkit/protocol";
import { type AppMethod, AppMethods, type AppParams, toAppUserInput } from "@turnkit/protocol/app";
import { ExecMethods } from "@turnkit/protocol/exec";
import { readRequestUserInputEvent } from "@turnkit/protocol/legacy";
import { collectRollout, projectThread } from "@turnkit/protocol/rollout";
import { jsonSchema, schemaNames, UserInput as UserInputSchema } from "@turnkit/protocol/schemas";
import { sliceBytes, utf8Length } from "@turnkit/protocol/text";
import { assertValid, formatIssue, ValidationError, validate, validatorNames } from "@turnkit/protocol/validate";
import { validateConfigFile } from "@turnkit/protocol/validate/config";

declare const console: { log(text: string): void };

/** Types follow the tag. */
function describe(input: UserInput): string {
  switch (input.type) {
    case "text":
      return input.text;
    case "image":
      return input.image_url;
    case "audio":
      return input.audio_url;
    case "local_image":
    case "local_audio":
      return input.path;
    case "skill":
    case "mention":
      return `${input.name} at ${input.path}`;
  }
}

const params: AppParams<"turn/start"> = { threadId: "thread", input: [{ type: "text", text: "hello" }] };
const answer: AppMethod<"item/tool/requestUserInput">["result"] = { answers: { colour: { answers: ["red"] } } };

// @ts-expect-error: a turn without a thread is not a request.
const incomplete: AppParams<"turn/start"> = { input: [] };

async function* bytes(...lines: string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Uint8Array.from(`${line}\n`, (letter) => letter.charCodeAt(0));
}

function refusal(): string {
  try {
    assertValid("TurnStartParams", incomplete, "params");
    return "";
  } catch (error) {
    return error instanceof ValidationError ? error.message : "another error";
  }
}

const bad = validate("UserInput", { type: "text" });
const old = readRequestUserInputEvent({ call_id: "call", questions: [] });
const event: RequestUserInputEvent | undefined = old.ok ? old.value : undefined;
const thread = projectThread(
  await collectRollout(
    bytes(
      '{"timestamp":"2026-01-01T00:00:00.000Z","type":"event_msg","payload":{"type":"user_message","message":"first","images":[]}}',
      "not JSON",
    ),
  ),
);

console.log(
  JSON.stringify({
    version: PROTOCOL_VERSION,
    invalidParams: RpcErrorCode.invalidParams,
    described: describe({ type: "mention", name: "a", path: "app://a" }),
    params: validate("TurnStartParams", params).ok,
    answer: validate("ToolRequestUserInputResponse", answer).ok,
    issue: bad.ok ? "" : formatIssue(bad.issues[0] as (typeof bad.issues)[number]),
    refusal: refusal(),
    config: validateConfigFile({ model: "a" }).ok && !validateConfigFile({ model: 1 }).ok,
    upgraded: event?.isBlocking,
    app: toAppUserInput({ type: "image", image_url: "data:," }),
    length: utf8Length("a👍"),
    slice: sliceBytes("a👍", { start: 1, end: 5 }),
    items: thread.turns.flatMap((turn) => turn.items.map((item) => item.type)),
    methods: "turn/start" in AppMethods.clientRequests && "process/start" in ExecMethods.clientRequests,
    validators: validatorNames.length === schemaNames().length,
    schema: jsonSchema("UserInput").title,
    named: (UserInputSchema as { $id?: string }).$id,
  }),
);
