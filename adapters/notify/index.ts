// Notify: runs a command of the user's for each new approval and each alarm.

export { NotifyRun } from "./command.ts";
export { Notifier } from "./notifier.ts";
