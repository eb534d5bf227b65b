// Dialog
// Whether an approval is also shown in a dialog of the client, at a terminal.
//
//   Owns:          which channels such a client asks by.
//   Does not own:  who waits for an answer of this engine's (runtime/channels).
//
// DIALOG-1. Only what a client asks by its hooks alone is shown at a terminal: a service, a program's callback and a
//     permission tool have none. Without a terminal, nothing is said of one.
// DIALOG-2. An approval was answered at the terminal if the same client begins a later call. What a service begins,
//     what began before, and a start that is told again show nothing.

const HOOKS: ReadonlySet<string> = new Set(["hook", "gate"]);

/** @param channels the channels that have asked for the approval so far. */
export const isAtTerminal = (channels: readonly string[]): boolean =>
  channels.length > 0 && channels.every((channel) => HOOKS.has(channel));
