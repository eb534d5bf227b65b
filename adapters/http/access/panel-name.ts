// Panel name
// The host at which browsers of this machine are signed in: made anew at each start, so that no page was there before.
//
//   Owns:          making it; which names were made so; to which addresses a browser takes it.
//   Does not own:  listening there (listening), where it counts (places), whom it is told (sign-in-links).
//   Decided in:    docs/decisions/0055-a-panel-where-nobody-was-before.md.
//
// PANEL-NAME-1. It is random and new at each start. Only whoever may make sign-in links is told: no redirect leads to it,
//     and neither an answer to anybody else, nor a file, nor a line of the log holds it.
// PANEL-NAME-2. At the plain names of loopback, which any account's program had or will have, no browser is signed in: no
//     link, token in the address or cookie counts there, and the page there asks for none.

import { randomBytes } from "node:crypto";

const NAME_BYTES = 16;
const MADE = /^[0-9a-f]{32}\.localhost(?=:|$)/;
/** Browsers take each name below localhost to the loopback by themselves, and ask no name server. */
const ON_LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]);

/** @param host that the engine listens on. @returns undefined where a browser would not find the engine by it. */
export const newPanelName = (host: string): string | undefined =>
  ON_LOOPBACK.has(host) ? `${randomBytes(NAME_BYTES).toString("hex")}.localhost` : undefined;

/** @returns a Host with another name in the place of one that some start made; undefined where none stands there. */
export const withoutPanelName = (host: string, name: string): string | undefined =>
  MADE.test(host) ? host.replace(MADE, name) : undefined;
