// Dialog
// Whether a question also stands in a dialog of the client's own, at a terminal.
//
//   Owns:          which channels such a client asks by.
//   Does not own:  who waits for an answer of this engine's (runtime/channels).
//
// DIALOG-1. Only what a client asks by its hooks, and by nothing else, stands at a terminal: a service, a program's
//     callback and a permission tool have none. Nothing is said of a terminal where there is none.
// DIALOG-2. That such a question was answered there follows only from the same client's beginning of a later call. What
//     a service begins, what began before, and a start that is told again show nothing.

const HOOKS: ReadonlySet<string> = new Set(["hook", "gate"]);

/** @param channels those by which the question was asked so far. */
export const isAtTerminal = (channels: readonly string[]): boolean =>
  channels.length > 0 && channels.every((channel) => HOOKS.has(channel));
