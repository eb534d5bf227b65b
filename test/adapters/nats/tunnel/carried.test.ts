// Carried
// Two ends of a connection, and messages between them that come late, are lost or are left unread.

import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { Carried, type Wire } from "../../../../adapters/nats/tunnel/carried.ts";
import { ManualClock } from "../../../support/engine/manual-clock.ts";
import { holdsLater } from "../../../support/properties/property.ts";

/** @param isLost says which of the messages from the first end never come. */
function pair(clock: ManualClock, isLost: (n: number) => boolean = () => false) {
  let [sent, underWay, most] = [0, 0, 0];
  const wire = (other: () => Carried, isFirst: boolean): Wire => ({
    send(bytes) {
      sent += 1;
      if (isFirst && isLost(sent)) return;
      const copy = Uint8Array.from(bytes);
      underWay += copy.length;
      most = Math.max(most, underWay);
      setImmediate(() => other().arrive(copy));
    },
    acknowledge() {
      underWay = 0;
      setImmediate(() => other().acknowledged());
    },
    ended: () => undefined,
    after: (ms, callback) => clock.after(ms, callback),
  });
  const near: Carried = new Carried(wire(() => far, true));
  const far: Carried = new Carried(wire(() => near, false));
  return { near, far, most: () => most };
}

async function readAll(end: Carried): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of end as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    await turn();
  }
  return Buffer.concat(chunks);
}

it("TUNNEL-CARRIED-1, TUNNEL-CARRIED-2: whatever is written arrives once, in order, a message at a time", () =>
  holdsLater(
    "test/adapters/nats/tunnel/carried.test.ts",
    50,
    fc.array(fc.uint8Array({ maxLength: 300_000 }), { maxLength: 4 }),
    async (parts) => {
      const { near, far, most } = pair(new ManualClock());
      for (const part of parts) near.write(part);
      near.end();
      expect((await readAll(far)).equals(Buffer.concat(parts))).toBe(true);
      expect(most()).toBeLessThanOrEqual(128 * 1024);
    },
  ));

it("TUNNEL-CARRIED-1: a connection of which a message is lost ends, and shows no later message", async () => {
  const clock = new ManualClock();
  const { near, far } = pair(clock, (n) => n === 2);
  const failed = new Promise((resolve) => near.once("error", resolve));
  for (const text of ["one", "two", "three"]) near.write(text);
  const heard = readAll(far);
  while (near.writableLength > "twothree".length) await turn();
  clock.advance(10_000);
  expect(await failed).toMatchObject({ message: "unanswered" });
  expect((await heard).toString()).toBe("one");
});

it("TUNNEL-CARRIED-2: messages that come without waiting for the acknowledgement end the connection", async () => {
  let acknowledged = 0;
  const end = new Carried({
    send: () => undefined,
    acknowledge: () => (acknowledged += 1),
    ended: () => undefined,
    after: () => () => undefined,
  });
  const failed = new Promise((resolve) => end.once("error", resolve));
  const message = Buffer.alloc(128 * 1024, 1);
  for (let n = 0; n < 100; n += 1) end.arrive(message);
  expect(await failed).toMatchObject({ message: "not awaited" });
  expect([end.readableLength <= message.length, acknowledged]).toEqual([true, 0]);
});

it("TUNNEL-CARRIED-3: a message that cannot be sent ends the connection with the reason, and throws nothing at its writer", async () => {
  let sent = 0;
  const end = new Carried({
    send({ length }) {
      if (length > 10) throw new Error("too long");
      sent += length;
      if (length > 0) setImmediate(() => end.acknowledged());
    },
    acknowledge: () => undefined,
    ended: () => undefined,
    after: () => () => undefined,
  });
  const failed = new Promise((resolve) => end.once("error", resolve));
  end.write("short");
  end.write("not so short");
  expect(await failed).toMatchObject({ message: "too long" });
  expect([sent, end.destroyed]).toEqual(["short".length, true]);
});
