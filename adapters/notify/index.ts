// Notify: a command of the user's, run for each new question.

export { Notifier } from "./notifier.ts";
