// Sample
// A sample session that the engine's end interrupts goes on with its next start.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEngine } from "../../../adapters/index.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "signalbox-sample-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

interface Answer {
  readonly items?: readonly { readonly id: string; readonly execution?: string }[];
  readonly inputHash?: string;
}

function asking(url: string) {
  const token = readFileSync(join(dataDir, "token"), "utf8").trim();
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return async (path: string, body?: object): Promise<Answer> => {
    const init = body ? { method: "POST", headers, body: JSON.stringify(body) } : { headers };
    return (await (await fetch(url + path, init)).json()) as Answer;
  };
}

describe("the sample session", () => {
  test("SAMPLE-1: stopped while a call waits, and started again, it goes on where it was", async () => {
    const pendingIn = async (ask: ReturnType<typeof asking>): Promise<readonly string[]> =>
      ((await ask("/v1/approvals?state=pending")).items ?? []).map(({ id }) => id);
    const first = await createEngine({ dataDir, port: 0 });
    const ask = asking(first.url ?? "");
    await ask("/v1/sample", {});
    await expect.poll(() => pendingIn(ask), { timeout: 15_000 }).toHaveLength(1);
    const [asked] = await pendingIn(ask);
    await first.stop();

    const second = await createEngine({ dataDir, port: 0 });
    const again = asking(second.url ?? "");
    expect(await pendingIn(again)).toEqual([asked]);
    const { inputHash } = await again(`/v1/approvals/${asked}`);
    await again(`/v1/approvals/${asked}/decision`, { decision: "approve", inputHash });
    await expect.poll(() => pendingIn(again), { timeout: 15_000 }).not.toContain(asked);
    await expect.poll(() => pendingIn(again), { timeout: 15_000 }).toHaveLength(1);
    expect(await pendingIn(again)).not.toContain(asked);
    await second.stop();
  });
});
