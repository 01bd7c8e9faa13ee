/** The fields of an MCP server's form, as its schema names them. Types only. */
import type { McpElicitationPrimitiveSchema } from "@turnkit/protocol/app";

export interface ElicitationFields {
  readonly properties: Readonly<Record<string, McpElicitationPrimitiveSchema>>;
  readonly required: readonly string[];
}
