// Dialog
// Decides whether the client also shows an approval in a dialog at its own terminal.
//
//   Owns:          the channels of clients that show such a dialog.
//   Does not own:  who waits for this engine's answer (runtime/channels).
//
// DIALOG-1. An approval is shown at a terminal only if every channel that requested it is a hook of a client. A service, a
//     program's callback and a permission tool have no terminal.
// DIALOG-2. If the same client begins a later call, the approval was answered at the terminal. A call that a service begins,
//     a call that began earlier, and a repeated start do not show that.

const HOOKS: ReadonlySet<string> = new Set(["hook", "gate"]);

/** @param channels the channels that have requested the approval so far. */
export const isAtTerminal = (channels: readonly string[]): boolean =>
  channels.length > 0 && channels.every((channel) => HOOKS.has(channel));
