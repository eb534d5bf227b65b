// Access token
// A token that lets its holder speak to an engine over HTTP, and the name that it gives the holder.
//
//   Owns:          its shape; the parts of an engine that a token may open, and in which workspaces.
//   Does not own:  where tokens are kept (data-folder), noticing new ones (token-watch), what they allow (http).

import { createHmac } from "node:crypto";

/** To see; to decide what waits; to send what happened; to change how the engine works. */
export const PARTS = ["view", "decide", "emit", "manage"] as const;
export type Part = (typeof PARTS)[number];

/** What somebody may do, and where. */
export interface Access {
  readonly parts: ReadonlySet<Part>;
  /** Undefined for all. */
  readonly workspaces?: ReadonlySet<string>;
}

export const EVERYTHING: Access = { parts: new Set(PARTS) };

/** What is left where a grant cannot be read. */
export const NOTHING: Access = { parts: new Set() };

/** Stands before a token that does not open everything: without its grant it opens nothing. */
export const LIMITED = "limited_";

/** @returns the token itself: whoever has one may send it with that word or without. */
export const bareToken = (text: string): string =>
  text.startsWith(LIMITED) ? text.slice(LIMITED.length) : text;

/** What a caller is told about its own sign-in. */
export interface Me {
  /** As it stands beside their answers. */
  readonly name: string;
  readonly parts: readonly Part[];
  /** Absent for all. */
  readonly workspaces?: readonly string[];
}

/** Somebody with a token, as they are listed. */
export interface ListedToken extends Me {
  /** Since when, ms. */
  readonly since: number;
}

/** Whether both open the same. */
export function isSameAccess(one: Access, other: Access): boolean {
  const { workspaces: here } = one;
  const { workspaces: there } = other;
  if (!isSameSet(one.parts, other.parts)) return false;
  return here === undefined || there === undefined ? here === there : isSameSet(here, there);
}

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));

/** A token, and its holder's name: a person's own name, or, where it counts, `local:USER` or `http:NAME`. */
export interface AccessToken {
  readonly name: string;
  /** Without `LIMITED`. */
  readonly token: string;
  /** It counts on the engine's own machine only. */
  readonly isNearOnly?: boolean;
  /** The one route that it counts for. Default: all. */
  readonly only?: string;
  /** Undefined for everything. */
  readonly access?: Access;
}

/** The only route of the token that the client's telemetry comes with. */
export const TELEMETRY_ROUTE = "/v1/logs";

/**
 * @param token this machine's own.
 * @returns the one for telemetry. It stands in the client's settings, where agents can read it, and tells nothing of the other.
 */
export const telemetryToken = (token: string): string =>
  createHmac("sha256", token).update("signalbox telemetry").digest("base64url");
