// Sample
// A sample session that the engine's end interrupts goes on with its next start.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEngine } from "../../../adapters/index.ts";
import { bySocket } from "../../support/http/by-socket.ts";

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "signalbox-sample-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

interface Answer {
  readonly items?: readonly { readonly id: string; readonly execution?: string }[];
  readonly inputHash?: string;
}

async function ask(path: string, body?: object): Promise<Answer> {
  const init = body && { method: "POST", body: JSON.stringify(body) };
  return (await (await bySocket(dataDir)(path, init)).json()) as Answer;
}

describe("the sample session", () => {
  test("SAMPLE-1: stopped while a call waits, and started again, it goes on where it was", async () => {
    const pending = async (): Promise<readonly string[]> =>
      ((await ask("/v1/approvals?state=pending")).items ?? []).map(({ id }) => id);
    const first = await createEngine({ dataDir, port: 0 });
    await ask("/v1/sample", {});
    await expect.poll(pending, { timeout: 15_000 }).toHaveLength(1);
    const [asked] = await pending();
    await first.stop();

    const second = await createEngine({ dataDir, port: 0 });
    expect(await pending()).toEqual([asked]);
    const { inputHash } = await ask(`/v1/approvals/${asked}`);
    await ask(`/v1/approvals/${asked}/decision`, { decision: "approve", inputHash });
    await expect.poll(() => pending(), { timeout: 15_000 }).not.toContain(asked);
    await expect.poll(() => pending(), { timeout: 15_000 }).toHaveLength(1);
    expect(await pending()).not.toContain(asked);
    await second.stop();
  });
});
