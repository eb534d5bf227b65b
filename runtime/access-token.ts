// Access token
// A token that gives its holder access to an engine over HTTP, and the holder's name.
//
//   Owns:          the shape of a token; the rights that a token may give, and in which workspaces.
//   Does not own:  storing tokens (data-folder), noticing new tokens (token-watch), checking a request's token (http).

import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";

/** The rights that a token may give: to see; to answer approvals; to send events; to change how the engine works. */
export const PARTS = ["view", "decide", "emit", "manage"] as const;
export type Part = (typeof PARTS)[number];

/** A caller's rights, and the workspaces in which the caller has them. */
export interface Access {
  readonly parts: ReadonlySet<Part>;
  /** The workspaces in which the rights apply; undefined for all workspaces. */
  readonly workspaces?: ReadonlySet<string>;
  /** True if the caller is another engine: it asks for its own users, and names the user in each request (peers/on-behalf). */
  readonly vouches?: true;
}

export const EVERYTHING: Access = { parts: new Set(PARTS) };

/** The access of a token whose grant (the file that lists its rights) cannot be read. */
export const NOTHING: Access = { parts: new Set() };

/** The prefix of a token with limited rights. Without its grant, the file with these rights, such a token gives no access. */
export const LIMITED = "limited_";

/** The token without its prefix; its holder may send it with the prefix or without. */
export const bareToken = (text: string): string =>
  text.startsWith(LIMITED) ? text.slice(LIMITED.length) : text;

/** Who the caller is and what the caller may do, as the engine tells the caller. */
export interface Me {
  /** The name that is shown with the caller's answers. */
  readonly name: string;
  readonly parts: readonly Part[];
  /** The workspaces that the caller may see and use; absent for all workspaces. */
  readonly workspaces?: readonly string[];
}

export interface ListedToken extends Me {
  /** When the token was made, ms. */
  readonly since: number;
  readonly vouches?: true;
}

/** True for the name of the user on the engine's own machine. */
export const isLocal = (name: string): boolean => name.startsWith("local:");

/** True for equal rights in the same workspaces. Two sets with the same members in another order are equal. */
export const isSameAccess = (one: Access, other: Access): boolean => isDeepStrictEqual(one, other);

/** A token and its holder's name. A data folder stores the bare name; in a running engine it is `local:USER` or `http:NAME`. */
export interface AccessToken {
  readonly name: string;
  /** The token without its prefix `LIMITED`. */
  readonly token: string;
  /** True if the token is valid only for requests from the engine's own machine. */
  readonly isNearOnly?: boolean;
  /** The only route for which the token is valid. Default: all routes. */
  readonly only?: string;
  /** The rights of the token; undefined for all rights. */
  readonly access?: Access;
}

/** The only route for which the token for telemetry is valid. */
export const TELEMETRY_ROUTE = "/v1/logs";

/**
 * The token for telemetry, derived from this machine's own token. The client's settings contain the derived token, where agents
 * can read it; nobody can compute the machine's token from it.
 */
export const telemetryToken = (token: string): string =>
  createHmac("sha256", token).update("signalbox telemetry").digest("base64url");
