// Notify: a command of the user's, run for each new approval.

export { Notifier } from "./notifier.ts";
