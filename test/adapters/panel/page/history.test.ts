// History
// What is known of a session's history while its pages come in any order.

import { afterEach, expect, test, vi } from "vitest";
import { load, Wire } from "../../../support/panel/wire.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** What is tried of a history. */
interface History {
  readonly told: {
    get(): {
      readonly changes: readonly { readonly version: number }[];
      readonly olderCursor?: string;
      readonly isLoading: boolean;
    };
  };
  all(): Promise<void>;
}

const changeOf = (version: number) => ({
  ...{ n: version, version, epoch: 1, turn: version, part: 1, parts: 1, at: version },
  ...{ entity: "toolcall", id: `c${version}`, workspace: "w", sessionId: "s", from: null, to: "created" },
  view: { id: `c${version}` },
});

/** A page of the history, newest first. */
const pageOf = (first: number, last: number) => ({
  items: Array.from({ length: last - first + 1 }, (_, n) => changeOf(last - n)),
  ...(first > 1 && { nextCursor: `c${first}` }),
});

test("HISTORY-HISTORY-2: an older page is not used if the changes that it was to join were dropped meanwhile", async () => {
  const wire = new Wire();
  const { follow } = await load<{ readonly follow: { open(): void } }>("engine/engine.ts");
  const { History } = await load<{ readonly History: new (place: object) => History }>("history/history.ts");
  follow.open();
  wire.say("ready", "log-10");
  const history = new History({ view: "session", workspace: "w", session: "s" });
  await (await wire.take("limit=200")).answer(pageOf(801, 1000));
  const older = await wire.take("cursor=c801");
  wire.say("resync", "log-3000");
  await (await wire.take("limit=1000")).answer(pageOf(2001, 3000));
  await older.answer(pageOf(1, 800));
  const known = history.told.get();
  expect([known.changes[0]?.version, known.changes.length]).toEqual([2001, 1000]);
  expect([known.olderCursor, known.isLoading]).toEqual(["c2001", false]);
  const all = history.all();
  await (await wire.take("cursor=c2001")).answer(pageOf(1001, 2000));
  await (await wire.take("cursor=c1001")).answer(pageOf(1, 1000));
  await all;
  const { changes } = history.told.get();
  expect(changes.map(({ version }) => version)).toEqual(Array.from({ length: 3000 }, (_, n) => n + 1));
});
