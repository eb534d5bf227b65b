// Dialog
// Decides whether the client also shows an approval in a dialog at its own terminal.
//
//   Owns:          which channels belong to clients that show an approval in their own dialog.
//   Does not own:  which channels wait for this engine's answer (runtime/channels).
//
// DIALOG-1. An approval is shown at a terminal only if each of its channels is a hook of a client. No other channel has a
//     terminal.
// DIALOG-2. While a client shows a call's approval in its dialog, the agent's later calls do not begin, except for tools that the
//     client runs in parallel. So the start of a later call shows that the dialog was answered. A call that a service begins, a
//     call that began earlier, and the repeated report of a start do not show that.

const HOOKS: ReadonlySet<string> = new Set(["hook", "gate"]);

export const isAtTerminal = (channels: readonly string[]): boolean =>
  channels.length > 0 && channels.every((channel) => HOOKS.has(channel));
