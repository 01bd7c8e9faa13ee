/** The tokens of each model request as a bar: cached input, new input, output. */
import type { RolloutRecord } from "@turnkit/protocol/rollout";
import { fields } from "./html.js";

export interface TokenPoint {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

export function tokenPoints(records: readonly RolloutRecord[]): TokenPoint[] {
  return records.flatMap((record) => {
    if (record.kind !== "line" || record.value.type !== "event_msg") return [];
    const payload = fields(record.value.payload);
    const last = fields(fields(payload.info).last_token_usage);
    if (payload.type !== "token_count" || typeof last.input_tokens !== "number") return [];
    return [
      {
        input: last.input_tokens,
        cached: Number(last.cached_input_tokens ?? 0),
        output: Number(last.output_tokens ?? 0),
      },
    ];
  });
}

export const count = (tokens: number): string => tokens.toLocaleString("en-US");

const HEIGHT = 120;
const BAR = 10;
const WIDEST_BAR_PX = 44;

export function tokenChart(points: readonly TokenPoint[]): string {
  if (points.length === 0) return "";
  const top = Math.max(1, ...points.map((point) => point.input + point.output));
  const bars = points.map((point, index) => {
    let y = HEIGHT;
    const part = (kind: string, tokens: number): string => {
      const size = (tokens / top) * HEIGHT;
      y -= size;
      return `<rect class="${kind}" x="${index * BAR + 1}" y="${y.toFixed(1)}" width="${BAR - 2}" height="${size.toFixed(1)}"/>`;
    };
    const said = `request ${index + 1}: ${count(point.input)} in (${count(point.cached)} cached), ${count(point.output)} out`;
    return `<g><title>${said}</title>${part("cached", point.cached)}${part("fresh", Math.max(0, point.input - point.cached))}${part("output", point.output)}</g>`;
  });
  const sum = (of: (point: TokenPoint) => number): string =>
    count(points.reduce((total, point) => total + of(point), 0));
  const requests = `${points.length} ${points.length === 1 ? "request" : "requests"}`;
  return `<figure><div class="chart"><span class="top">${count(top)}</span><span class="zero">0</span>
<svg viewBox="0 0 ${points.length * BAR} ${HEIGHT}" preserveAspectRatio="none" style="max-width:${points.length * WIDEST_BAR_PX}px" role="img" aria-label="Tokens per request">${bars.join("")}</svg></div>
<figcaption>Tokens of ${requests}: <span class="key cached"></span>${sum((point) => point.cached)} cached <span class="key fresh"></span>${sum((point) => Math.max(0, point.input - point.cached))} new <span class="key output"></span>${sum((point) => point.output)} output</figcaption></figure>`;
}
