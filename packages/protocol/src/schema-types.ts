/** The type of every schema by its name. */
import type { Static, TSchema } from "typebox";
import type * as schemas from "./all-schemas.js";

type All = typeof schemas;

export type SchemaTypes = { [Name in keyof All]: All[Name] extends TSchema ? Static<All[Name]> : never };
export type SchemaName = { [Name in keyof All]: All[Name] extends TSchema ? Name : never }[keyof All];
