// Pending
// The cost of counting what waits for its other half.

import { expect, it } from "vitest";
import { MemoryDisk, MemoryStore } from "../../../../adapters/memory/index.ts";
import { sessionAddress } from "../../../../machines/index.ts";
import { keys } from "../../../../runtime/rows/keys.ts";
import type { Range, Store } from "../../../../runtime/ports.ts";
import { pendingIn } from "../../../../runtime/reading/figures/pending.ts";

it("PENDING-1: of more than a thousand sessions the newest thousand are read, and the answer says that there are more", async () => {
  const store = new MemoryStore(new MemoryDisk("j"));
  await store.open();
  const address = (n: number) => sessionAddress("w" as never, `s${n}` as never);
  const numbers = Array.from({ length: 1_200 }, (_, n) => n);
  await store.commit(
    numbers.map((n) => ({ put: keys.listed(["session", "state", "running"], n, address(n)), value: "{}" })),
  );
  const read: string[] = [];
  const counted = {
    range: (range: Range) => store.range(range),
    get: (key: string) => {
      read.push(key);
      return store.get(key);
    },
  };
  expect(pendingIn(counted as unknown as Store, (key) => expect.fail(key))).toMatchObject({
    calls: 0,
    isPart: true,
  });
  expect(read).toEqual(
    numbers
      .slice(200)
      .reverse()
      .map((n) => keys.actor(address(n))),
  );
});
