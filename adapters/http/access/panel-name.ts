// Panel name
// The host at which browsers of this machine are signed in: made anew at each start, so that no page was there before.
//
//   Owns:          making it; which names were made so; to which addresses a browser takes it.
//   Does not own:  listening there (listening), where it counts (places), whom it is told (sign-in-links).
//   Decided in:    docs/decisions/0055-a-panel-where-nobody-was-before.md.
//
// PANEL-NAME-1. It is random and new at each start. Only whoever may make sign-in links is told: no redirect leads to
//     it, and neither an answer to anybody else nor a line of the log holds it; of files only the page that `open`
//     writes.
// PANEL-NAME-2. At the plain names of loopback, which any account's program had or will have, no browser is signed in:
//     no link, token in the address or cookie counts there, and the page there asks for none.
// PANEL-NAME-3. Each holder has a name of their own, where nobody else is signed in: who knows a name can lead a
//     browser to another port of it, and gets its cookies.

import { randomBytes } from "node:crypto";

const NAME_BYTES = 16;
const MADE = /^[0-9a-f]{32}\.localhost(?=:|$)/;
/** Browsers take each name below localhost to the loopback by themselves, and ask no name server. */
const ON_LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"]);

export const newPanelName = (): string => `${randomBytes(NAME_BYTES).toString("hex")}.localhost`;

/** @param host that the engine listens on. @returns whether a browser would find the engine by such a name. */
export const hasPanelNames = (host: string): boolean => ON_LOOPBACK.has(host);

/** @returns the Host with this panel name instead of the one that an earlier start made; undefined if it has none. */
export const withoutPanelName = (host: string, name: string): string | undefined =>
  MADE.test(host) ? host.replace(MADE, name) : undefined;
