// Panel name
// The host names under which browsers of this machine are signed in. The names are new at each start, so that no other program
// has served a page under them.
//
//   Owns:          making and recognising panel names, the addresses to which a browser resolves them.
//   Does not own:  listening (listening), where a name is valid (places), who gets a name (sign-in-links).
//   Decided in:    docs/decisions/0055-a-panel-where-nobody-was-before.md.
//
// PANEL-NAME-1. A panel name is random and new at each start. Only users who may make sign-in links get it. The page that the
//     command `signalbox open` writes is the only file that contains the name, and no redirect or log line contains it.
// PANEL-NAME-2. Browsers are never signed in at the plain names of loopback, such as `localhost`, because a program of any
//     account can listen at these names. At them, no sign-in link, token in the address or cookie is accepted.
// PANEL-NAME-3. Each holder has a panel name of their own, at which nobody else is signed in. A shared name would be dangerous:
//     whoever knows a name can lead another user's browser to another port of that name, and so get the browser's cookies.

import { randomBytes } from "node:crypto";

const NAME_BYTES = 16;
const MADE = /^[0-9a-f]{32}\.localhost(?=:|$)/;
/** Hosts at which an engine has panel names: browsers resolve each name below localhost to the loopback without a name server. */
const ON_LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]);

export const newPanelName = (): string => `${randomBytes(NAME_BYTES).toString("hex")}.localhost`;

/** @returns whether a browser can reach an engine that listens at this host by a panel name. */
export const hasPanelNames = (host: string): boolean => ON_LOOPBACK.has(host);

/** @returns the Host with `name` instead of its panel name; undefined if the Host is no panel name. */
export const withoutPanelName = (host: string, name: string): string | undefined =>
  MADE.test(host) ? host.replace(MADE, name) : undefined;
