/**
 * User input as the content of one message to the model, without touching files: local media come from the caller.
 * Skills and mentions give nothing here; they are injected beside the message.
 */
import type { ContentItem } from "./response-item.js";
import type { UserInput } from "./user-input.js";

/** What stands for a local file: its data URL, or a text that says why there is none. */
export type LocalMedia = { readonly url: string } | { readonly omitted: string; readonly labelled?: boolean };

export interface LocalMediaReader {
  image(path: string): LocalMedia;
  audio(path: string): LocalMedia;
}

/** Says of every local file that it was not read. */
export const noLocalMedia: LocalMediaReader = {
  image: () => ({ omitted: "local image was not read", labelled: true }),
  audio: () => ({ omitted: "local audio was not read", labelled: true }),
};

/** One input's content, numbered: remote and local images share a counter, and so do audio inputs. */
export function userInputContent(inputs: readonly UserInput[], media: LocalMediaReader = noLocalMedia): ContentItem[] {
  const content: ContentItem[] = [];
  let images = 0;
  let audio = 0;
  const labelled = (open: string, close: string, inner: ContentItem) =>
    content.push({ type: "input_text", text: open }, inner, { type: "input_text", text: close });
  for (const input of inputs) {
    switch (input.type) {
      case "text":
        content.push({ type: "input_text", text: input.text });
        break;
      case "image":
        images++;
        content.push({ type: "input_image", image_url: input.image_url, detail: input.detail ?? "high" });
        break;
      case "local_image": {
        images++;
        const read = media.image(input.path);
        const open = `<image name=[Image #${images}] path="${input.path}">`;
        if ("url" in read) {
          labelled(open, "</image>", { type: "input_image", image_url: read.url, detail: input.detail ?? "high" });
        } else if (read.labelled) labelled(open, "</image>", { type: "input_text", text: read.omitted });
        else content.push({ type: "input_text", text: read.omitted });
        break;
      }
      case "audio":
        audio++;
        content.push({ type: "input_audio", audio_url: input.audio_url });
        break;
      case "local_audio": {
        audio++;
        const read = media.audio(input.path);
        const open = `<audio name=[Audio #${audio}] path="${input.path}">`;
        if ("url" in read) labelled(open, "</audio>", { type: "input_audio", audio_url: read.url });
        else if (read.labelled) labelled(open, "</audio>", { type: "input_text", text: read.omitted });
        else content.push({ type: "input_text", text: read.omitted });
        break;
      }
      case "skill":
      case "mention":
        break;
    }
  }
  return content;
}
