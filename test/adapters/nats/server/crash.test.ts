// Crash, on NATS
// An engine process is killed with -9 in the middle of a replay; its journal and its changes are on JetStream.
//
//   Owns:          G1, G3, G4, G7 for whole engine processes on NATS.
//   Does not own:  the same on the embedded journal (crash), servers that are killed (load, cli.nats).

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { contentOf, runChild, unplaced } from "../../../support/processes/killed.ts";
import type { Place } from "../../../support/processes/lmdb-replay.ts";
import { type NatsAccounts, natsAccounts } from "../../../support/nats/accounts.ts";
import { publishedOn, replayWholeOnNats, rowsIn } from "../../../support/nats/replay.ts";
import { asItHappened } from "../../../support/sessions/play.ts";
import { recording } from "../../../support/sessions/recording.ts";
import { changesIn } from "../../../support/engine/rig.ts";

const NAME = "s3-permreq-deny-interrupt";
const list = asItHappened(recording(NAME));

/** At the start, in the middle, near the end; before, during and after each step that makes something durable. */
const POINTS: readonly (readonly [Place, number])[] = [
  ["append", 2],
  ["sent", 3],
  ["commit", 2],
  ["committed", 3],
  ["publish", 1],
  ["published", 4],
  ["append", 40],
  ["sent", 70],
  ["commit", 9],
  ["committed", 12],
  ["publish", 30],
  ["published", 60],
];

/** Twelve processes start at once, on two cores. */
const RUNS_MS = 180_000;

let server: NatsAccounts;
let base: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "signalbox-nats-crash-"));
  server = await natsAccounts(POINTS.length + 1);
});
afterAll(async () => {
  await server.dispose();
  await rm(base, { recursive: true });
});

const place = async () => ({ dir: await mkdtemp(join(base, "run-")), url: server.next() });
type Where = Awaited<ReturnType<typeof place>>;

async function found({ dir, url }: Where) {
  return { rows: await rowsIn(dir), changes: await publishedOn(url) };
}

const logged = (rows: ReadonlyMap<string, string>): readonly string[] =>
  changesIn(rows).map((change) => JSON.stringify(change));

test(
  "G1, G3, G4, G7: kill -9 at twelve points of a replay on JetStream; after a restart and another replay all is as in an unbroken run, every change published once with its id",
  async () => {
    const unbroken = await place();
    await replayWholeOnNats(unbroken.dir, unbroken.url, list);
    const whole = await found(unbroken);
    expect(whole.changes.length).toBeGreaterThan(60);
    const runs = POINTS.map(async ([point, count]) => {
      const where = await place();
      const { by, lines } = await runChild([where.dir, NAME, "8", point, String(count), where.url]);
      expect(by, `${point} ${count}`).toBe("SIGKILL");
      expect(lines.at(-1)?.split(" ")[0]).toBe(point);
      return where;
    });
    let open = 0;
    for (const where of await Promise.all(runs)) {
      const left = await found(where);
      expect(left.changes.length).toBeLessThan(whole.changes.length);
      // G4: every published change has its row.
      const rowed = new Set(logged(left.rows));
      expect(left.changes.filter(({ body }) => !rowed.has(body))).toEqual([]);

      open += await replayWholeOnNats(where.dir, where.url, list);
      const { rows, changes } = await found(where);
      expect(unplaced(rows)).toEqual(unplaced(whole.rows));
      // The stream has each change of the log once, unaltered, in the order of the unbroken run.
      expect(changes.map(({ body }) => body).sort()).toEqual([...logged(rows)].sort());
      expect(changes.slice(0, left.changes.length)).toEqual(left.changes);
      expect(changes.map(contentOf)).toEqual(whole.changes.map(contentOf));
    }
    // At some point the journal was ahead of the store, so there was something to catch up with.
    expect(open).toBeGreaterThan(0);
  },
  RUNS_MS,
);
