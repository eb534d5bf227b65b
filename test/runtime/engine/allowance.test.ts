// Allowance
// The report on refused hook messages, when the engine cannot write it at first.

import { expect, test } from "vitest";
import { Allowance } from "../../../runtime/engine/allowance.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import type { OwnMessage } from "../../../runtime/message.ts";
import { readEvent } from "../../support/engine/read-event.ts";
import { Rig } from "../../support/engine/rig.ts";
import { event } from "../../support/http/served.ts";

test("ALLOWANCE-4: refusals whose report could not be written are in the next report, and in no later one", async () => {
  const { clock, engine } = await Rig.start();
  const reports: OwnMessage["said"][] = [];
  let isFull = true;
  const allowance = new Allowance({
    ...{ clock, rows: { get: () => undefined, keys: () => [] }, meta: () => engine.meta() },
    say: (report) => {
      if (isFull)
        return Promise.reject(new RetryableError("DISK_FULL", "The disk is full.", "Free space.", 1_000));
      return Promise.resolve(reports.push(report));
    },
  });
  const drop = async (bytes: number): Promise<void> => {
    allowance.drop({ message: readEvent(event("session.started", {})), bytes });
    clock.advance(1_000);
    await Promise.resolve();
  };
  await drop(100);
  await drop(20);
  isFull = false;
  await drop(3);
  expect(reports).toMatchObject([{ type: "refused", workspace: "shop", unrecorded: 3, bytes: 123 }]);
  await drop(4);
  expect(reports.slice(1)).toMatchObject([{ type: "refused", unrecorded: 1, bytes: 4 }]);
});
