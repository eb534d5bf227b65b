// The three scenarios of seed 001, as its document has them.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RequestTracker } from "../../adapters/index.ts";

let base: string;
let tracker: RequestTracker;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "signalbox-seed-001-"));
  tracker = new RequestTracker({ stateBaseDir: base });
  await tracker.start();
});
afterEach(async () => {
  await tracker.stop();
  await rm(base, { recursive: true });
});

/** The document's tests reach into the tracker as if it had no types. */
const untyped = (value: unknown): { cache: Map<string, unknown> } => value as { cache: Map<string, unknown> };

describe("S1.63: the seed's scenarios", () => {
  it("S1.31, S1.32, S1.33, S1.55: should track state transitions", async () => {
    const state = await tracker.createRequest({
      requestId: "test-001",
      chatId: "123",
      workspace: "test",
    });

    expect(state.state).toBe("created");

    await tracker.updateState("test-001", {
      state: "processing",
      processingStartedAt: Date.now(),
    });

    const updated = await tracker.getRequest("test-001");
    expect(updated?.state).toBe("processing");
    expect(updated?.previousState).toBe("created");
  });

  it("S1.34, S1.56: should recover state after crash", async () => {
    // Create state
    await tracker.createRequest({
      requestId: "recovery-001",
      chatId: "123",
      workspace: "test",
    });

    // Simulate crash - clear cache
    untyped(tracker).cache.clear();

    // Restart tracker
    await tracker.recoverState();

    const recovered = await tracker.getRequest("recovery-001");
    expect(recovered).toBeDefined();
    expect(recovered?.requestId).toBe("recovery-001");
  });

  it("S1.37, S1.57: should mark hung requests as timeout", async () => {
    await tracker.createRequest({
      requestId: "hung-001",
      chatId: "123",
      workspace: "test",
    });

    await tracker.updateState("hung-001", {
      state: "processing",
      processingStartedAt: Date.now() - 61 * 60 * 1000, // 61 minutes ago
    });

    await tracker.recoverState();

    const timedOut = await tracker.getRequest("hung-001");
    expect(timedOut?.state).toBe("timeout");
    expect(timedOut?.timedOut).toBe(true);
  });
});
