/** Types of params and results by method name, for clients, handlers and tests. */
import type { SchemaTypes } from "../schema-types.js";
import type { AppMethods } from "./methods.js";

type Table = typeof AppMethods;
type TypeNamed<Name> = Name extends keyof SchemaTypes ? SchemaTypes[Name] : never;
type ParamsOf<Entry> = Entry extends { readonly params: infer Name } ? TypeNamed<Name> : never;
type ResultOf<Entry> = Entry extends { readonly result: infer Name } ? TypeNamed<Name> : never;

export type AppClientRequest = keyof Table["clientRequests"];
export type AppServerRequest = keyof Table["serverRequests"];
export type AppServerNotification = keyof Table["serverNotifications"];
export type AppClientNotification = keyof Table["clientNotifications"];

type AnyEntry<Name extends string> = Name extends AppClientRequest
  ? Table["clientRequests"][Name]
  : Name extends AppServerRequest
    ? Table["serverRequests"][Name]
    : Name extends AppServerNotification
      ? Table["serverNotifications"][Name]
      : Name extends AppClientNotification
        ? Table["clientNotifications"][Name]
        : never;

export type AppMethodName = AppClientRequest | AppServerRequest | AppServerNotification | AppClientNotification;

/** Params and result of one method: `AppMethod<"turn/start">["result"]`. Notifications have result `never`. */
export interface AppMethod<Name extends AppMethodName> {
  params: ParamsOf<AnyEntry<Name>>;
  result: ResultOf<AnyEntry<Name>>;
}
export type AppParams<Name extends AppMethodName> = AppMethod<Name>["params"];
export type AppResult<Name extends AppMethodName> = AppMethod<Name>["result"];

/** The same under a short name, for clients: `Method<"turn/start">["params"]`. */
export type Method<Name extends AppMethodName> = AppMethod<Name>;
