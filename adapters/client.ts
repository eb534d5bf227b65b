// Client
// `signalbox/client`: the module by which a service uses Signalbox over NATS.
//
//   Owns:          reading the key file that the service names.
//   Does not own:  the client's functions (adapters/nats/client).

import { checkOptions, type Options } from "../runtime/errors/given-options.ts";
import { natsKeyAt } from "./composition/nats-key.ts";
import { type Client, connect as connectWith } from "./nats/client/client.ts";
import { CONNECT_OPTIONS, type ConnectOptions } from "./nats/client/options.ts";

export { AmbiguousError } from "./nats/client/request-reply.ts";
export type { Change, ChangeItem, ChangesOptions, Gap } from "./nats/client/changes.ts";
export type {
  Client,
  Decided,
  DecisionSaid,
  RequestHandle,
  RequestMessageType,
  SessionHandle,
} from "./nats/client/client.ts";
export type { Feed } from "./nats/client/feed.ts";
export type { DataOf, MessageType, Published, PublishOptions } from "./nats/client/messages.ts";
export type { List, Queries, Where } from "./nats/client/queries.ts";
export { RefusedError, RetryableError } from "../runtime/errors/errors.ts";
export { toId } from "../runtime/foreign-id.ts";

export interface ClientOptions extends Omit<ConnectOptions, "key"> {
  /**
   * The file with the seed of an nkey, in place of a user, password or token. The key in the folder of the private server of
   * `signalbox up` is used with that server alone: the client first checks that this server has the port.
   */
  readonly nkey?: string | undefined;
}

const { key: _, ...CONNECTION } = CONNECT_OPTIONS;
const OPTIONS = { ...CONNECTION, nkey: "text" } as const satisfies Record<
  keyof ClientOptions,
  Options[string]
>;

/**
 * Connects to the engine's NATS server.
 * @returns the client; it reconnects automatically. Close it before the process ends.
 * @throws RefusedError BAD_OPTION, BAD_ID, NOT_AUTHORISED, NO_NKEY, BAD_NKEY, NATS_NOT_ENCRYPTED, NATS_NOT_VERIFIED;
 * RetryableError NOT_CONNECTED after `deadlineMs`.
 */
export async function connect(options: ClientOptions): Promise<Client> {
  checkOptions("connect", options, OPTIONS);
  const { nkey, ...others } = options;
  return connectWith({ ...others, ...(nkey !== undefined && { key: await natsKeyAt(nkey) }) });
}
