// Claude for each
// A fresh client for each test of a file.
//
//   Owns:          building and fetching once, ending the client after each test.
//   Does not own:  the client (claude.ts).

import { afterEach, beforeAll, beforeEach } from "vitest";
import { build } from "../processes/program.ts";
import { Claude } from "./claude.ts";
import { fetchClient } from "./package.ts";

/** The first time the client is downloaded. */
const FETCH_MAX_MS = 600_000;

/** @param begin is given each test's client before the test; a file's own `afterEach` runs before the client is ended. */
export function claudeForEach(begin: (claude: Claude) => void | Promise<void>): void {
  let program: string;
  let claude: Claude;
  beforeAll(async () => {
    await build();
    program = await fetchClient();
  }, FETCH_MAX_MS);
  beforeEach(async () => {
    claude = new Claude(program);
    await begin(claude);
  });
  afterEach(() => claude.clear());
}
