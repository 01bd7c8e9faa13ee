/** What an MCP server asks of a person, and how the person answers. Types only. */

export type ElicitationRequest =
  | { readonly mode: "form"; readonly meta: unknown; readonly message: string; readonly requestedSchema: unknown }
  | {
      readonly mode: "url";
      readonly meta: unknown;
      readonly message: string;
      readonly url: string;
      readonly elicitationId: string;
    };

export interface ElicitationAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: unknown;
  readonly meta?: unknown;
}
