/**
 * Finds the plan inside a message that streams in: what stands between `<proposed_plan>` and `</proposed_plan>`,
 * each tag on a line of its own. The rest is the message. Text is passed on as soon as it cannot be a tag.
 */

export type PlanSegment = { readonly type: "text" | "plan"; readonly text: string };

const OPEN = "<proposed_plan>";
const CLOSE = "</proposed_plan>";

export class ProposedPlanParser {
  #inside = false;
  #line = "";
  #lineIsPlain = false;
  #swallowNewline = false;

  push(delta: string): PlanSegment[] {
    const segments: PlanSegment[] = [];
    for (const character of delta) this.#take(character, segments);
    return join(segments);
  }

  /** What was held back because it could have become a tag. */
  end(): PlanSegment[] {
    const held = this.#line;
    this.#line = "";
    if (held.trim() === this.#tag) return [];
    return held === "" || this.#lineIsPlain ? [] : [this.#segment(held)];
  }

  get #tag(): string {
    return this.#inside ? CLOSE : OPEN;
  }

  #segment(text: string): PlanSegment {
    return { type: this.#inside ? "plan" : "text", text };
  }

  #take(character: string, segments: PlanSegment[]): void {
    if (this.#swallowNewline) {
      this.#swallowNewline = false;
      if (character === "\n") return;
    }
    if (character === "\n") {
      if (!this.#lineIsPlain && this.#line.trim() === this.#tag) this.#inside = !this.#inside;
      else segments.push(this.#segment(`${this.#lineIsPlain ? "" : this.#line}\n`));
      this.#line = "";
      this.#lineIsPlain = false;
      return;
    }
    if (this.#lineIsPlain) {
      segments.push(this.#segment(character));
      return;
    }
    this.#line += character;
    const start = this.#line.trimStart();
    if (this.#tag.startsWith(start) || (start.startsWith(this.#tag) && start.trimEnd() === this.#tag)) return;
    segments.push(this.#segment(this.#line));
    this.#line = "";
    this.#lineIsPlain = true;
  }
}

function join(segments: readonly PlanSegment[]): PlanSegment[] {
  const joined: PlanSegment[] = [];
  for (const segment of segments) {
    const last = joined.at(-1);
    if (last?.type === segment.type) joined[joined.length - 1] = { type: segment.type, text: last.text + segment.text };
    else joined.push(segment);
  }
  return joined;
}

export interface SplitMessage {
  readonly text: string;
  /** undefined: the message holds no plan. */
  readonly plan: string | undefined;
}

export function splitProposedPlan(message: string): SplitMessage {
  const parser = new ProposedPlanParser();
  const segments = [...parser.push(message), ...parser.end()];
  const of = (type: PlanSegment["type"]) => segments.filter((segment) => segment.type === type);
  const plans = of("plan");
  return {
    text: of("text")
      .map((segment) => segment.text)
      .join(""),
    plan: plans.length === 0 ? undefined : plans.map((segment) => segment.text).join(""),
  };
}
