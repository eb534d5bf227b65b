// Whatever differs in a log is found and named, and what is exported of it stands for itself.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryIn, leafOf, openedRow } from "../../../runtime/audit/entry.ts";
import { exportHead, exportLine, extraOf, provenFile, provenText } from "../../../runtime/audit/exported.ts";
import { hashesOf, openLog } from "../../../runtime/audit/kept-log.ts";
import { rowsIn } from "../../../runtime/audit/rows-in.ts";
import { verifyLog, type VerifiedLog } from "../../../runtime/audit/verify-log.ts";
import { bundleOf, entriesIn } from "../../../runtime/tlog/bundles.ts";
import { signerOf } from "../../../runtime/tlog/note.ts";
import { proofText } from "../../../runtime/tlog/proof-text.ts";
import { inclusionProof } from "../../../runtime/tlog/tree.ts";
import { LogWriter } from "../../../adapters/audit-log/log-writer.ts";
import { flips } from "../../support/faults/flips.ts";
import { holds } from "../../support/properties/property.ts";
import { AuditRows, SIGNER } from "../../support/tlog/audit-rows.ts";
import { isIncluded, isOpenedBy, leafOf as hashOf, readHead } from "../../support/tlog/independent.ts";
import { MemoryLog } from "../../support/tlog/memory-log.ts";

const FILE = "verify-log.test.ts";

async function logOf(count: number): Promise<MemoryLog> {
  const [rows, files] = [new AuditRows(), new MemoryLog()];
  rows.add(count, (n) => ({ decision: n % 2 === 0 ? "deny" : "approve" }));
  await rows.log(files).catchUp();
  return files;
}

/** A checkpoint that does not count is wrong as well. */
function wrongIn(files: MemoryLog): readonly unknown[] {
  try {
    return verifyLog(files.kept(), { verifier: SIGNER }).wrong;
  } catch (error) {
    return [error];
  }
}

describe("VerifyLog", () => {
  test("G60, VERIFY-LOG-1: any flipped bit of any file is found", async () => {
    const files = await logOf(600);
    expect(wrongIn(files)).toEqual([]);
    const paths = [...files.files.keys()];
    expect(paths.length).toBeGreaterThan(10);
    const places = fc.tuple(fc.constantFrom(...paths), fc.nat(), fc.nat(7));
    holds(FILE, 100, places, ([path, at, bit]) => {
      const whole = files.files.get(path) ?? Buffer.alloc(0);
      const flipped = Buffer.from(whole);
      flipped[at % whole.length] = (flipped[at % whole.length] ?? 0) ^ (1 << bit);
      files.files.set(path, flipped);
      expect(wrongIn(files)).not.toEqual([]);
      files.files.set(path, whole);
    });
  });

  test("VERIFY-LOG-1: each file that is missing, cut or longer is named", async () => {
    const files = await logOf(600);
    for (const [path, whole] of [...files.files].filter(([path]) => path !== "log/checkpoint")) {
      const changed = [
        undefined,
        whole.subarray(0, -1),
        ...(path.startsWith("log") ? [Buffer.concat([whole, Buffer.of(1)])] : []),
      ];
      for (const content of changed) {
        if (content) files.files.set(path, content);
        else files.files.delete(path);
        const { wrong } = verifyLog(files.kept(), { verifier: SIGNER });
        expect(wrong.map(({ place }) => place).join(" ")).toContain(path.replace(/^log\//, ""));
        files.files.set(path, whole);
      }
    }
  });

  test("VERIFY-LOG-2: a log that passes over a row, or has one twice, is wrong, though its key has signed it", async () => {
    for (const order of [
      [1, 3],
      [1, 1],
      [2, 1],
    ]) {
      const files = new MemoryLog();
      const writer = await LogWriter.open(files, SIGNER);
      const begun = {
        entry: JSON.stringify({ v: 1, at: 1, kind: "log-begun", store: "s", from: 1 }),
        opening: "-",
      };
      const leaf = (n: number) =>
        leafOf(
          { n, at: n, kind: "decision", workspace: "w", sessionId: "s", by: "b", decision: "d" },
          Buffer.alloc(32, n),
        );
      await writer.append([begun, ...order.map(leaf)]);
      const { wrong } = verifyLog(files.kept(), { verifier: SIGNER });
      expect(wrong[0]?.what).toContain("stands where row");
    }
  });

  test("VERIFY-LOG-3: openings that are gone without a word are found", async () => {
    const files = await logOf(10);
    const lines = (files.files.get("openings/000")?.toString() ?? "").split("\n").with(3, "-");
    files.files.set("openings/000", Buffer.from(lines.join("\n")));
    expect(wrongIn(files)).toMatchObject([
      { place: "openings", what: expect.stringContaining("1 are gone") as unknown },
    ]);
  });

  test("VERIFY-LOG-1: a checkpoint from elsewhere of another or a longer log is found", async () => {
    const files = await logOf(10);
    const against = [
      { origin: SIGNER.name, size: 5, root: hashOf(Buffer.from("x")) },
      { origin: SIGNER.name, size: 99, root: hashOf(Buffer.from("x")) },
    ];
    const { wrong } = verifyLog(files.kept(), { verifier: SIGNER, against }) satisfies VerifiedLog;
    expect(wrong.map(({ what }) => what)).toEqual([
      "the log was another one when it had 5 entries",
      "the log had 99 entries once, and has fewer now",
    ]);
  });

  test("AUDIT-ENTRY-1: an entry has nothing of the row's content, and another salt makes another one", () => {
    const row = {
      n: 1,
      at: 2,
      kind: "decision",
      workspace: "secret-w",
      sessionId: "secret-s",
      by: "secret-b",
      decision: "secret-d",
    };
    const [one, other] = [leafOf(row, Buffer.alloc(32, 1)), leafOf(row, Buffer.alloc(32, 2))];
    expect(one.entry).not.toContain("secret");
    expect(one.entry).not.toBe(other.entry);
    expect(isOpenedBy(one.entry, one.opening)).toBe(true);
  });

  test("AUDIT-ENTRY-2: an opening with any bit flipped, or of another row, does not fit", () => {
    const row = { n: 1, at: 2, kind: "decision", workspace: "w", sessionId: "s", by: "b", decision: "d" };
    const { entry, opening } = leafOf(row, Buffer.alloc(32, 1));
    const said = entryIn(Buffer.from(entry));
    expect(openedRow(said, opening)).toEqual(row);
    for (const flipped of flips(opening))
      expect(() => openedRow(said, flipped)).toThrow("does not match its hash");
    expect(() => openedRow(said, leafOf({ ...row, decision: "e" }, Buffer.alloc(32, 1)).opening)).toThrow();
  });
});

describe("Exported", () => {
  async function exported(): Promise<readonly string[]> {
    const log = openLog((await logOf(300)).kept(), SIGNER);
    const hashes = hashesOf(log);
    const rows = [...rowsIn(log, { id: "a4" }), ...rowsIn(log, { id: "c299" })];
    return [exportHead(log, SIGNER.text), ...rows.map((row) => exportLine(row, log.size, hashes))].map(
      (line) => JSON.stringify(line),
    );
  }

  test("EXPORTED-2: a call that was denied and one that was allowed are proven by the file and the key alone, to another reader, too", async () => {
    const lines = await exported();
    const { rows, checkpoint } = provenFile(lines.join("\n"), SIGNER);
    expect(rows.map(({ row }) => [row?.callId, row?.decision])).toEqual([
      ["c4", "deny"],
      ["c299", "approve"],
    ]);
    const [head = "", ...proofs] = lines;
    const { size, root } = readHead((JSON.parse(head) as { checkpoint: string }).checkpoint, SIGNER.text);
    expect(size).toBe(checkpoint.size);
    for (const line of proofs) {
      const { index, entry, opening, proof } = JSON.parse(line) as {
        index: number;
        entry: string;
        opening: string;
        proof: string[];
      };
      const path = proof.map((hash) => Buffer.from(hash, "base64"));
      expect(isIncluded(hashOf(Buffer.from(entry)), index, size, path, root)).toBe(true);
      expect(isOpenedBy(entry, opening)).toBe(true);
    }
  });

  test("EXPORTED-1: a file in which a row, a proof, a place or the key was altered does not count", async () => {
    const [head = "", line = ""] = await exported();
    const said = JSON.parse(line) as { index: number; entry: string; opening: string; proof: string[] };
    const other = signerOf(Buffer.alloc(32, 5), () => SIGNER.name);
    const altered = [
      { ...said, opening: said.opening.replace("deny", "allo") },
      { ...said, index: said.index + 1 },
      { ...said, proof: said.proof.slice(1) },
      { ...said, entry: said.entry.replace('"at":', '"at":1') },
    ];
    expect(provenFile([head, line].join("\n"), SIGNER).rows).toHaveLength(1);
    for (const each of altered)
      expect(() => provenFile([head, JSON.stringify(each)].join("\n"), SIGNER)).toThrow();
    expect(() => provenFile([head, line].join("\n"), other)).toThrow("no known key");
  });

  test("EXPORTED-2: a proof in the form of C2SP stands for itself as well", async () => {
    const log = openLog((await logOf(300)).kept(), SIGNER);
    const [leaf] = [...rowsIn(log, { id: "a7" })];
    if (!leaf) throw new Error("no row");
    const proof = inclusionProof(leaf.index, log.size, hashesOf(log));
    const text = proofText({ extra: extraOf(leaf), index: leaf.index, proof, checkpoint: log.note });
    expect(provenText(text, SIGNER).rows).toMatchObject([{ row: { callId: "c7" } }]);
    expect(() => provenText(text.replace(`index ${leaf.index}`, "index 1"), SIGNER)).toThrow(
      "not in the log",
    );
  });
});

test("TLOG-BUNDLES-1: the bundle of a log is what its entries make", async () => {
  const files = await logOf(255);
  const bundle = files.files.get("log/tile/entries/000") ?? Buffer.alloc(0);
  expect(bundleOf(entriesIn(bundle))).toEqual(bundle);
});
