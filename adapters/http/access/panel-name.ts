// Panel name
// The host name under which browsers of this machine are signed in. Each start makes new names, so that no other program can
// have served a page under them before.
//
//   Owns:          making and recognising panel names, the addresses to which a browser resolves them.
//   Does not own:  listening at these addresses (listening), where a name counts (places), who gets a name (sign-in-links).
//   Decided in:    docs/decisions/0055-a-panel-where-nobody-was-before.md.
//
// PANEL-NAME-1. A panel name is random and new at each start. Only users who may make sign-in links get it: no redirect, no other
//     user's answer and no log line contains it. Of files, only the page that `open` writes contains it.
// PANEL-NAME-2. Browsers are never signed in at the plain names of loopback, because programs of every account can listen there.
//     No link, token in the address or cookie counts there, and the page there asks for none.
// PANEL-NAME-3. Each holder has a panel name of their own, at which nobody else is signed in. Whoever knows a name can lead a
//     browser to another port of that name, and gets the browser's cookies.

import { randomBytes } from "node:crypto";

const NAME_BYTES = 16;
const MADE = /^[0-9a-f]{32}\.localhost(?=:|$)/;
/** Browsers resolve each name below localhost to the loopback, and ask no name server. */
const ON_LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]);

export const newPanelName = (): string => `${randomBytes(NAME_BYTES).toString("hex")}.localhost`;

/** @param host the address that the engine listens on. @returns whether a browser finds the engine there by a panel name. */
export const hasPanelNames = (host: string): boolean => ON_LOOPBACK.has(host);

/** @returns the Host with this panel name in place of an earlier start's; undefined if the Host has no panel name. */
export const withoutPanelName = (host: string, name: string): string | undefined =>
  MADE.test(host) ? host.replace(MADE, name) : undefined;
