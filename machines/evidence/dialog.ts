// Dialog
// Decides whether the client also shows an approval in a dialog at its own terminal.
//
//   Owns:          which channels belong to clients that show an approval in their own dialog.
//   Does not own:  which channels wait for this engine's answer (runtime/channels).
//
// DIALOG-1. An approval is shown at a terminal only if each of its channels is a hook of a client. No other channel has a
//     terminal.
// DIALOG-2. If the client whose dialog shows an approval begins a later call, the approval was answered at the terminal. A call
//     that a service begins, a call that began earlier, and the repeated start of a call do not show that the approval was
//     answered.

const HOOKS: ReadonlySet<string> = new Set(["hook", "gate"]);

export const isAtTerminal = (channels: readonly string[]): boolean =>
  channels.length > 0 && channels.every((channel) => HOOKS.has(channel));
