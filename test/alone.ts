// Alone
// Which tests share a process with others. To load what a test imports takes longer than most tests.
//
// Tests that leave a server or an engine behind are in other folders. Tests that change a module, or what belongs to the whole
// process, are listed and stay alone.

/** From the project's root. */
export const SHARING: readonly string[] = [
  "test/machines",
  "test/runtime",
  "test/project",
  "test/adapters/claude-code",
  "test/adapters/transcripts",
  "test/adapters/panel/page",
];

/** As globs. */
export const SHARED: readonly string[] = SHARING.map((folder) => `${folder}/**/*.test.ts`);

/** From the project's root. */
export const ALONE: readonly string[] = [
  "test/adapters/panel/page/api.test.ts",
  "test/adapters/panel/page/follow.test.ts",
  "test/adapters/panel/page/history.test.ts",
  "test/adapters/panel/page/inbox-model.test.ts",
  "test/adapters/panel/page/newest-letters.test.ts",
  "test/machines/plain-xstate.test.ts",
  "test/runtime/turn/turn.test.ts",
];
