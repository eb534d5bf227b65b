// Backup log
// The change log of a restored folder, as a reader sees it who followed the old folder.

import { join } from "node:path";
import { expect, test } from "vitest";
import { backUp } from "../../../adapters/composition/backup/back-up.ts";
import { restore } from "../../../adapters/composition/backup/restore.ts";
import { verifyFolder } from "../../../adapters/composition/verifying.ts";
import { dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";
import { event } from "../../support/http/served.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
const place = (name: string) => dataFolder(join(base(), name), {});
const quiet = { passphrase: undefined, progress: () => undefined };

/** An engine in a folder makes some requests. @returns the name of its change log, and the changes after a place. */
async function live(name: string, requests: readonly string[], after = "start") {
  const engine = await createEngine({ dataDir: place(name).dir });
  for (const requestId of requests) await engine.send(event("request.created", { requestId }));
  const page = engine.queries.changes({}, { after, limit: 1_000 });
  const log = engine.engine.incarnation;
  await engine.stop();
  return { log, ...page };
}

test("RESTORE-5, META-3: a reader of what came after the backup is told, though the restored log has become as long", async () => {
  const file = join(base(), "a.backup");
  await live("old", ["r1"]);
  await backUp(place("old"), file, quiet);
  const seen = await live("old", ["lost"]);
  await restore(place("new"), file, quiet);
  const { log, gap, items } = await live("new", ["r2", "r3", "r4"], seen.next);
  expect(gap).toBe("replaced");
  const ids = new Set<string>(items.map(({ id }) => id));
  expect(["r1", "lost", "r2", "r3", "r4"].filter((id) => ids.has(id))).toEqual(["r1", "r2", "r3", "r4"]);
  const verified = await verifyFolder(place("new"), { progress: () => undefined });
  expect([verified.differences, verified.rows.differences]).toEqual([[], []]);

  // Two restores of one backup may go on in different ways, so their logs differ, too.
  await restore(place("third"), file, quiet);
  expect(new Set([seen.log, log, (await live("third", [])).log]).size).toBe(3);
});
