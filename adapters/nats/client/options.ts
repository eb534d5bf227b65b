// Options
// The options of a client, checked, and the nats package's options made from them.
//
//   Owns:          the options, and checking the options before a socket is opened.
//   Does not own:  connecting (link), parsing an address (connect).

import type { ConnectionOptions } from "nats";
import { isId } from "../../../machines/ids.ts";
import { defined } from "../../../machines/defined.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Options } from "../../../runtime/errors/given-options.ts";
import { PINGS } from "../connect.ts";
import type { NatsKey } from "../handshake.ts";
import { serversAt } from "../servers.ts";

export interface ConnectOptions {
  /**
   * `nats://host:port`, with `user:password@` or `token@` if needed; separate several addresses by commas. A server on another
   * machine must use TLS, with a certificate for one of these hosts.
   */
  readonly url: string;
  /** The workspace of all messages, and of queries that name no workspace themselves. */
  readonly workspace: string;
  /** The sender, as a CloudEvents source: `/chat-bot`. Source and id together identify a message. */
  readonly source: string;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The key with which the client signs in, if it uses no user, password or token. */
  readonly key?: NatsKey;
  /** How long an operation retries before it fails, ms; 30,000 by default. */
  readonly deadlineMs?: number;
  /** The prefix of reply subjects, `_INBOX` by default. Give each user a prefix that no other user may read. */
  readonly inboxPrefix?: string;
  /** Further options of the nats package: a certificate authority, credentials, the connection's name. */
  readonly nats?: Readonly<
    Omit<ConnectionOptions, "servers" | "port" | "user" | "pass" | "token" | "inboxPrefix">
  >;
}

/** The options of `connect` by name, each with its kind. */
export const CONNECT_OPTIONS = {
  url: "text!",
  workspace: "text!",
  source: "text!",
  user: "text",
  password: "text",
  token: "text",
  key: "an object",
  deadlineMs: "a number",
  inboxPrefix: "text",
  nats: "an object",
} as const satisfies Record<keyof ConnectOptions, Options[string]>;

const DEADLINE_MS = 30_000;
const RECONNECT_MS = 250;
const SOURCE_MAX = 512;

export interface Settings {
  readonly workspace: string;
  readonly source: string;
  readonly deadlineMs: number;
  readonly connection: ConnectionOptions;
  readonly key: NatsKey | undefined;
}

/** @throws RefusedError for an option that is unknown or has a wrong value. */
export function settingsOf(options: ConnectOptions): Settings {
  const { workspace, source, deadlineMs = DEADLINE_MS, inboxPrefix, nats } = options;
  checkId(workspace, "workspace");
  checkName(source, "source", SOURCE_MAX);
  const { user, password, token, key } = options;
  return {
    workspace,
    source,
    deadlineMs,
    key,
    connection: {
      name: source,
      ...PINGS,
      reconnectTimeWait: RECONNECT_MS,
      noAsyncTraces: true,
      ...nats,
      ...serversAt(options.url, nats?.tls),
      maxReconnectAttempts: -1,
      ...(user !== undefined && { user, pass: password ?? "" }),
      ...defined({ token, inboxPrefix }),
    },
  };
}

const CONTROL = /[\u0000-\u001f\u007f]/;

/** @throws RefusedError if an envelope cannot contain the text. */
export function checkName(text: string, what: string, max: number): void {
  const isGood = text !== "" && text.length <= max && text.isWellFormed() && !CONTROL.test(text);
  if (!isGood) throw bad(what, `must be 1 to ${max} characters without control characters`);
}

/** @throws RefusedError BAD_ID for an id that a subject cannot contain. */
export function checkId(text: string, what: string): void {
  if (isId(text)) return;
  throw new RefusedError(
    "BAD_ID",
    `The ${what} ${JSON.stringify(text.slice(0, 140))} must be 1 to 128 of A–Z, a–z, 0–9, _ and -.`,
    "For an id of another form, send toId(id), which is always the same for the same id.",
    what,
  );
}

const bad = (what: string, why: string): RefusedError =>
  new RefusedError("BAD_OPTION", `${what} ${why}.`, "Correct the option and connect again.", what);
