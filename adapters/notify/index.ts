// Notify: runs a command of the user's for each new approval, and for each alarm (a call that ran although it should not have).

export { NotifyRun } from "./command.ts";
export { Notifier } from "./notifier.ts";
