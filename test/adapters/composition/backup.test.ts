// Backup
// Data folders that are backed up and made again elsewhere: with everything, of every format, on either journal, or not at all.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect } from "nats";
import { beforeEach, describe, expect, test } from "vitest";
import { readBackup } from "../../../adapters/backup-file/index.ts";
import { backUp } from "../../../adapters/composition/backup/back-up.ts";
import { restore } from "../../../adapters/composition/backup/restore.ts";
import { verifyFolder } from "../../../adapters/composition/verifying.ts";
import {
  addToken,
  dataFolder,
  ensureKey,
  makeFolder,
  readTokens,
  writeBinding,
  writeHalfRestored,
} from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";
import { openLmdb, openSnapshot } from "../../../adapters/lmdb/index.ts";
import { encodeEntry, encodeHead, HEAD } from "../../../adapters/lmdb/journal-format.ts";
import { decodeRedo } from "../../../adapters/lmdb/redo-row.ts";
import { markOf, systemClock } from "../../../adapters/system/index.ts";
import { FORMAT } from "../../../runtime/rows/meta.ts";
import { FORMAT_3, FORMAT_4, FORMAT_5 } from "../../support/engine/stored-format.ts";
import { changed } from "../../support/lmdb/raw.ts";
import { natsServer } from "../../support/nats/server.ts";
import { event } from "../../support/http/served.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const PASSPHRASE = "four words that hold";
const base = scratchEach();
const place = (name: string) => dataFolder(join(base(), name), {});
const quiet = { passphrase: undefined, progress: () => undefined };
const sealing = { ...quiet, passphrase: PASSPHRASE };
let file: string;
beforeEach(() => {
  file = join(base(), "a.backup");
});

const INPUT = { file_path: "/a", content: "x".repeat(700_000) };
const HOOK = {
  ...{ session_id: "s1", cwd: "/shop", hook_event_name: "PreToolUse" },
  ...{ tool_name: "Write", tool_use_id: "w1", tool_input: INPUT },
};

/** A folder with a request, a call with a large input and a person's token. */
async function lived(name = "old"): Promise<void> {
  const engine = await createEngine({ dataDir: place(name).dir });
  await engine.send(event("request.created", { requestId: "r1" }));
  await engine.door.hook(Buffer.from(JSON.stringify(HOOK)), {}, { door: "library", by: "library" });
  await engine.stop();
  await addToken(place(name), "anna");
}

/** Every row that a backup has of a store, but for the name of the change log, which a restore changes (RESTORE-5). */
async function rowsOf(name: string): Promise<ReadonlyMap<string, string>> {
  const snapshot = await openSnapshot(place(name).store);
  const writes = [...snapshot.pieces(true)].flatMap(({ n, bytes }) => decodeRedo(n, bytes) ?? []);
  await snapshot.close();
  const unnamed = (text: string): string => text.replace(/,"log":"[^"]+"/, "");
  return new Map(writes.flatMap((each) => ("put" in each ? [[each.put, unnamed(each.value)]] : [])));
}

const refusal = (code: string, words: RegExp) => ({ code, message: expect.stringMatching(words) as string });

describe("a folder with the built-in journal", () => {
  test("BACK-UP-1, RESTORE-3, G57: it is made again on another path, whole: rows, entries, blobs, tokens; nothing differs, and an engine goes on", async () => {
    await lived();
    const made = await backUp(place("old"), file, sealing);
    expect(made).toMatchObject({ position: 3, entries: 3, blobs: 1, tokens: 1, isSealed: true, damaged: [] });
    const found = await restore(place("new"), file, sealing);
    expect(found).toMatchObject({ position: 3, entries: 3, blobs: 1, tokens: 1, isOpened: true });
    expect(await rowsOf("new")).toEqual(await rowsOf("old"));
    const [name = ""] = readdirSync(place("old").blobs);
    const [one, other] = ["old", "new"].map((each) => join(place(each).blobs, name));
    expect(readFileSync(other ?? "")).toEqual(readFileSync(one ?? ""));
    expect(statSync(other ?? "").mtimeMs).toBeCloseTo(statSync(one ?? "").mtimeMs, -1);
    expect(await readTokens(place("new"))).toEqual(await readTokens(place("old")));
    const verified = await verifyFolder(place("new"), { progress: () => undefined });
    expect([verified.compared, verified.differences, verified.rows.differences]).toEqual([3, [], []]);
    const engine = await createEngine({ dataDir: place("new").dir });
    expect(engine.queries.getRequest("r1")).toBeDefined();
    // The old one was opened once; then came the restore, `verify`, and this engine.
    expect(engine.engine.epoch).toBe(4);
    expect(await engine.queries.wholeToolCall("w1")).toMatchObject({ input: INPUT });
    await engine.send(event("request.created", { requestId: "r3" }));
    expect(engine.queries.getRequest("r3")).toBeDefined();
    await engine.stop();
  });

  test("BACK-UP-2, BACKUP-CONTENTS-1: without a passphrase neither key nor tokens are in it, under one nobody reads them; both are said", async () => {
    await lived();
    await ensureKey(place("old"));
    const [{ token } = { token: "" }] = await readTokens(place("old"));
    const key = readFileSync(place("old").key, "utf8").trim();
    for (const wish of [quiet, sealing]) {
      expect(await backUp(place("old"), file, wish)).toMatchObject({
        hasKey: true,
        tokens: 1,
        isSealed: wish === sealing,
      });
      const parts: string[] = [];
      for await (const { head, body } of readBackup(file)) {
        parts.push(head.part);
        const text = JSON.stringify(head) + body.toString("latin1");
        expect([text.includes(token), text.includes(key)]).toEqual([false, false]);
      }
      expect([parts[0], parts.at(-2) === "secrets"]).toEqual(["header", wish === sealing]);
    }
    await expect(restore(place("x"), file, { ...quiet, passphrase: "four words that fail" })).rejects.toThrow(
      /does not decrypt/,
    );
    expect(existsSync(place("x").dir)).toBe(false);
    await restore(place("bare"), file, quiet);
    expect([existsSync(place("bare").key), await readTokens(place("bare"))]).toEqual([false, []]);
    await expect(backUp(place("old"), file, { ...quiet, passphrase: "short" })).rejects.toMatchObject({
      code: "WEAK_PASSPHRASE",
    });
  });

  test("BACK-UP-1, BLOB-FILES-4: a damaged blob is named and left out, what is being put stays, and a backup is made", async () => {
    await lived();
    const [name = ""] = readdirSync(place("old").blobs);
    writeFileSync(join(place("old").blobs, name), "something else");
    const draft = `${"a".repeat(64)}.draft`;
    writeFileSync(join(place("old").blobs, draft), "half");
    expect(await backUp(place("old"), file, quiet)).toMatchObject({ blobs: 0, damaged: [name] });
    expect(readdirSync(place("old").blobs).toSorted()).toEqual([draft, name].toSorted());
  });

  test.each([
    ["3", FORMAT_3],
    ["4", FORMAT_4],
    ["5", FORMAT_5],
  ])(
    "BACK-UP-1, MIGRATION-2: a folder of format %s comes back as it is, and is converted by the next start",
    async (_, stored) => {
      const disk = stored.disk();
      const { store, close } = openLmdb(place("old").store, systemClock(), { markOf });
      await makeFolder(place("old"));
      await store.open();
      await store.commit(stored.rows.map(([put, value]) => ({ put, value })));
      await close();
      const entries = disk.entries.map(({ position, at, body }) => ({ position, at, body }));
      const bytes = entries.reduce((sum, entry) => sum + Buffer.byteLength(encodeEntry(entry)), 0);
      const last = entries.at(-1) ?? { position: 0, at: 0 };
      const { incarnation } = stored.meta;
      await changed(place("old").store, async (tables) => {
        for (const entry of entries) void tables.entries.put(entry.position, encodeEntry(entry));
        const head = { incarnation, tail: last.position, at: last.at, trimmed: 0, bytes };
        void tables.meta.put(HEAD, encodeHead(head));
        await tables.root.flushed;
        // As an earlier version left it.
        tables.redo.dropSync();
      });
      await writeBinding(place("old"), { kind: "embedded" });
      const made = await backUp(place("old"), file, quiet);
      expect(made).toMatchObject({ position: stored.meta.position, entries: entries.length });
      await restore(place("new"), file, quiet);
      const rows = await rowsOf("new");
      expect(rows.get("meta")).toBe(new Map(stored.rows).get("meta"));
      expect(rows).toEqual(await rowsOf("old"));
      const after = async (name: string) => {
        const engine = await createEngine({ dataDir: place(name).dir });
        expect(engine.engine.meta().format).toBe(FORMAT);
        await engine.stop();
        const {
          compared,
          differences,
          rows: found,
        } = await verifyFolder(place(name), {
          progress: () => undefined,
        });
        return { compared, differences, rows: found.differences };
      };
      expect(await after("new")).toEqual(await after("old"));
    },
  );
});

describe("what is not restored", () => {
  test("RESTORE-1: a file that is cut, altered, of a newer format or something else leaves no folder", async () => {
    await lived();
    await backUp(place("old"), file, quiet);
    const whole = readFileSync(file);
    const middle = Buffer.from(whole);
    middle[whole.length >> 1] = (middle[whole.length >> 1] ?? 0) ^ 4;
    const newer = Buffer.from(whole.toString("latin1").replace("backup 1", "backup 9"), "latin1");
    for (const [bytes, code] of [
      [whole.subarray(0, whole.length - 1), "BACKUP_CUT"],
      [middle, "BACKUP_DAMAGED"],
      [newer, "BACKUP_FORMAT"],
      [Buffer.from("a letter"), "NOT_A_BACKUP"],
    ] as const) {
      writeFileSync(file, bytes);
      await expect(restore(place("new"), file, quiet)).rejects.toMatchObject({ code });
      expect(existsSync(place("new").dir)).toBe(false);
    }
  });

  test("RESTORE-3: a folder with anything in it is left as it is", async () => {
    await lived();
    await backUp(place("old"), file, quiet);
    mkdirSync(place("new").dir);
    writeFileSync(join(place("new").dir, "letter"), "mine");
    await expect(restore(place("new"), file, quiet)).rejects.toMatchObject(
      refusal("FOLDER_IN_USE", /not empty/),
    );
    await expect(restore(place("old"), file, quiet)).rejects.toMatchObject({ code: "FOLDER_IN_USE" });
    expect(readdirSync(place("new").dir)).toEqual(["letter"]);
  });

  test("RESTORE-2, RESTORE-3: a file of settings may stand there before, and stays, also where a restore begins anew", async () => {
    await lived();
    await backUp(place("old"), file, quiet);
    for (const name of ["new", "begun"] as const) {
      mkdirSync(place(name).dir, { mode: 0o700 });
      writeFileSync(place(name).settings, "port: 4281\n", { mode: 0o600 });
      if (name === "begun") await writeHalfRestored(place(name));
      await restore(place(name), file, quiet);
      expect(readFileSync(place(name).settings, "utf8")).toBe("port: 4281\n");
    }
  });

  test("RESTORE-2, HALF-RESTORED-1: nothing opens a folder that is half of a restore; the next restore begins anew", async () => {
    await lived();
    await backUp(place("old"), file, sealing);
    mkdirSync(place("new").dir);
    cpSync(place("old").store, place("new").store, { recursive: true });
    cpSync(place("old").tokens, place("new").tokens, { recursive: true });
    await writeHalfRestored(place("new"));
    const half = refusal("HALF_RESTORED", /half restored/);
    await expect(createEngine({ dataDir: place("new").dir })).rejects.toMatchObject(half);
    await expect(verifyFolder(place("new"), { progress: () => undefined })).rejects.toMatchObject(half);
    await expect(backUp(place("new"), file, quiet)).rejects.toMatchObject(half);
    await restore(place("new"), file, quiet);
    expect(await rowsOf("new")).toEqual(await rowsOf("old"));
    expect(existsSync(place("new").tokens)).toBe(false);
  });

  test("RESTORE-1: a look at a backup makes nothing, and tries the passphrase", async () => {
    await lived();
    await backUp(place("old"), file, sealing);
    const look = { ...sealing, isCheck: true };
    expect(await restore(place("old"), file, look)).toMatchObject({ isOpened: true, entries: 3 });
    await expect(
      restore(place("new"), file, { ...look, passphrase: "four wrong words" }),
    ).rejects.toMatchObject({
      code: "WRONG_PASSPHRASE",
    });
    expect(existsSync(place("new").dir)).toBe(false);
  });
});

describe("a folder with its journal on a NATS server", () => {
  test("BACK-UP-1, NATS-JOURNAL-5: restored elsewhere it goes on with the journal; without the key, or where entries are gone, it names what is missing", async () => {
    const server = await natsServer();
    const start = (name: string) => createEngine({ dataDir: place(name).dir, nats: { url: server.url } });
    try {
      const first = await start("old");
      await first.send(event("request.created", { requestId: "r1" }));
      await first.send(
        event("approval.requested", { approvalId: "a1", tool: "Bash", input: { command: "ls" } }),
      );
      await first.stop();
      expect(await backUp(place("old"), file, sealing)).toMatchObject({
        journal: "server",
        entries: 0,
        hasKey: true,
      });
      const again = await start("old");
      const { inputHash } = again.queries.getApproval("a1") as { readonly inputHash?: string };
      const body = Buffer.from(JSON.stringify({ decision: "deny", inputHash }));
      await again.door.decision("a1", body, { door: "library", by: "ann" });
      await again.stop();
      await restore(place("new"), file, sealing);
      await restore(place("bare"), file, quiet);
      const restored = await start("new");
      // What was decided after the backup is in the journal, and sealed.
      await expect.poll(() => restored.queries.getApproval("a1")).toMatchObject({ state: "denied" });
      await restored.stop();
      await expect(start("bare")).rejects.toMatchObject(refusal("JOURNAL_REGRESSED", /another key.*: 4/));
      const connection = await connect({ servers: server.url });
      await (await connection.jetstreamManager()).streams.purge("SIGNALBOX_IN", { seq: 5 });
      await connection.close();
      await sleep(1);
      await restore(place("late"), file, sealing);
      await expect(start("late")).rejects.toMatchObject(refusal("JOURNAL_REGRESSED", /lacks entries.*4/));
    } finally {
      await server.dispose();
    }
  });
});
