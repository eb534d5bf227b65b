// Alone
// The tests of the core that change a module for all who load it: they share no process.

/** From the project's root. */
export const ALONE: readonly string[] = [
  "test/machines/plain-xstate.test.ts",
  "test/runtime/turn/turn.test.ts",
];
