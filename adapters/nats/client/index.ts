// Client: the module `signalbox/client`, which works with Signalbox over NATS.

export type { Asked } from "./asked.ts";
export { AmbiguousError } from "./request-reply.ts";
export type { Change, ChangeItem, ChangesOptions, Gap } from "./changes.ts";
export {
  type Client,
  connect,
  type Decided,
  type DecisionSaid,
  type RequestHandle,
  type RequestMessageType,
  type SessionHandle,
} from "./client.ts";
export type { Feed } from "./feed.ts";
export type { DataOf, MessageType, Published, PublishOptions } from "./messages.ts";
export { CONNECT_OPTIONS, type ConnectOptions } from "./options.ts";
export type { List, Queries, Where } from "./queries.ts";
export { toId } from "../../../runtime/foreign-id.ts";
export { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
