// Notify: runs a command of the user's for each new approval.

export { Notifier } from "./notifier.ts";
