// Policy file
// An engine with a real policy, through the library: what counts is the text that a start named.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyFolder } from "../../../adapters/composition/verifying.ts";
import { dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "signalbox-policy-"))));
afterEach(() => {
  rmSync(root, { recursive: true });
});

const file = (): string => join(root, "p.cedar");
const dataDir = (): string => join(root, "data");
const write = (kind: string): void => {
  writeFileSync(file(), `@id("p") ${kind} (principal, action, resource);`);
};

/** What becomes of a question to an engine that is started so. */
async function fateOf(id: string, cedar?: string): Promise<string> {
  const engine = await createEngine({ dataDir: dataDir(), ...(cedar !== undefined && { cedar }) });
  try {
    const answered = new Promise<void>((resolve) =>
      engine.engine.onChanges((changes) => {
        if (changes.some(({ entity, from }) => entity === "approval" && from === "pending")) resolve();
      }),
    );
    await engine.send({
      specversion: "1.0",
      id,
      source: "/test",
      type: "approval.requested",
      subject: `shop/${id}`,
      data: { approvalId: id, tool: "Bash", input: { command: "ls" } },
    });
    if (cedar !== "none") await answered;
    const { state, by } = engine.queries.getApproval(id) ?? {};
    return `${String(state)} ${by ?? ""}`.trim();
  } finally {
    await engine.stop();
  }
}

describe("a policy's file", () => {
  test("POLICY-FILE-1, POLICY-SIDE-1: is read where a start names it; else the journal's text counts, and a replay agrees", async () => {
    write("permit");
    expect(await fateOf("a1", file())).toBe("approved policy:p");
    write("forbid");
    expect(await fateOf("a2")).toBe("approved policy:p");
    expect(await fateOf("a3", file())).toBe("denied policy:p");
    expect(await fateOf("a4", "none")).toBe("pending");
    const { differences, rows } = await verifyFolder(dataFolder(dataDir(), {}), {});
    expect([differences, rows.differences]).toEqual([[], []]);
  });

  test.each([
    ["that is not there", () => undefined, "POLICY_UNREADABLE"],
    ["that is too long", () => writeFileSync(file(), " ".repeat(128 * 1024 + 1)), "POLICY_UNREADABLE"],
    ["that is no policy", () => writeFileSync(file(), "permit"), "POLICY_INVALID"],
  ])(
    "POLICY-FILE-1: one %s keeps the engine from starting, and nothing is changed",
    async (_, make, code) => {
      make();
      await expect(createEngine({ dataDir: dataDir(), cedar: file() })).rejects.toMatchObject({ code });
      expect(await fateOf("a1", "none")).toBe("pending");
    },
  );
});
