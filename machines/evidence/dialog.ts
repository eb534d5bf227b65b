// Dialog
// Decides whether an approval is also shown in a dialog of the client, at a terminal.
//
//   Owns:          the channels by which such a client asks.
//   Does not own:  who waits for this engine's answer (runtime/channels).
//
// DIALOG-1. An approval is shown at a terminal only if a client's hooks alone asked for it. A service, a program's callback
//     and a permission tool have no terminal.
// DIALOG-2. An approval was answered at the terminal if the same client begins a later call. A call that a service begins,
//     a call that began before, and a repeated start show nothing.

const HOOKS: ReadonlySet<string> = new Set(["hook", "gate"]);

/** @param channels the channels that have asked for the approval so far. */
export const isAtTerminal = (channels: readonly string[]): boolean =>
  channels.length > 0 && channels.every((channel) => HOOKS.has(channel));
