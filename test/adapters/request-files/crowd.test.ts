// The request tracker under two processes for a while.

import { expect, it } from "vitest";
import { RequestTracker } from "../../../adapters/index.ts";
import {
  buildRequestChild,
  removeRequestChild,
  runRequestChild,
} from "../../support/processes/request-program.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const scratch = scratchEach();

it("S1.54, S1.3, FOLDER-2: two processes make 10,000 updates of the same requests, and none is lost", async () => {
  const program = await buildRequestChild();
  const dir = scratch();
  const tracker = new RequestTracker({ stateBaseDir: dir, sweepMs: 0, env: {} });
  await tracker.start();
  for (let n = 0; n < 10; n += 1) {
    await tracker.createRequest({ requestId: `c${n}`, chatId: 1, workspace: "shop" });
    await tracker.updateState(`c${n}`, { state: "processing" });
  }
  const both = [1, 2].map(() => runRequestChild(program, "count", dir, ["COUNT=5000x10"]));
  expect(await Promise.all(both)).toEqual([
    ["ready", "done"],
    ["ready", "done"],
  ]);
  const requests = await tracker.queryRequests();
  expect(requests.map(({ tokens }) => tokens)).toEqual(Array.from({ length: 10 }, () => 1_000));
  await tracker.stop();
  await removeRequestChild(program);
}, 600_000);
