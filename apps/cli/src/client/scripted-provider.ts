/** The built-in provider `scripted`: a scripted model on loopback, and the configuration that points at it. */
import { loadScript, type ScriptedModel, scriptedResponses, startScriptedModel } from "@turnkit/core/scripted-model";

export const SCRIPTED_PROVIDER = "scripted";
export const SCRIPTED_MODEL = "scripted-model";

/** A request that the script does not foresee is told to `onProblem`. @throws {Error} the script is not right */
export function startScript(
  script: unknown,
  name: string,
  onProblem: (message: string) => void,
): Promise<ScriptedModel> {
  return startScriptedModel({
    responses: scriptedResponses(loadScript(JSON.stringify(script), name)),
    onEvent: (event) => {
      if (event.kind === "error") onProblem(event.error.message);
    },
  });
}

/** `key=value` settings under which the provider is the thread's model. */
export function scriptedOverrides(url: string): string[] {
  return [
    `model_provider="${SCRIPTED_PROVIDER}"`,
    `model="${SCRIPTED_MODEL}"`,
    `model_providers.${SCRIPTED_PROVIDER}.name="Scripted model"`,
    `model_providers.${SCRIPTED_PROVIDER}.base_url="${url}"`,
    `model_providers.${SCRIPTED_PROVIDER}.wire_api="responses"`,
  ];
}
