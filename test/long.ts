// Long
// The test files that take long, and why: `npm run test:long` runs them, `npm test` does not.

/** From the project's root. */
export const LONG: readonly string[] = [
  // Thousands of questions in a browser.
  "test/panel/crowd.test.ts",
];
