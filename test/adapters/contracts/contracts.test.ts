// Contracts
// Every implementation of a port against that port's suite.

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BlobFiles } from "../../../adapters/blob-files/blob-files.ts";
import { openLmdb } from "../../../adapters/lmdb/index.ts";
import type { LmdbFolder } from "../../../adapters/lmdb/index.ts";
import { MemoryBlobs, MemoryDisk, MemoryJournal, MemoryStore } from "../../../adapters/memory/index.ts";
import { ManualClock } from "../../support/engine/manual-clock.ts";
import { MemoryOutlet } from "../../support/engine/memory-outlet.ts";
import { blobsContract } from "./blobs.contract.ts";
import { connectNats, type NatsLink } from "../../../adapters/nats/index.ts";
import { systemClock } from "../../../adapters/system/index.ts";
import { natsServer } from "../../support/nats/server.ts";
import {
  type ContractCase,
  journalContract,
  type JournalDisk,
  outletContract,
  storeContract,
} from "../../../runtime/contracts/index.ts";
import { clients } from "../../../adapters/composition/clients.ts";

/** As strangers do: with the test runner that is at hand. */
function tried(name: string, cases: readonly ContractCase[]): void {
  describe(name, () => {
    for (const { title, run } of cases) it(title, run);
  });
}

let disks = 0;

async function newFolder(journalBytes?: number) {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-contract-"));
  const clock = new ManualClock(1_000_000);
  const opened: LmdbFolder[] = [];
  return {
    clock,
    open() {
      const folder = openLmdb(dir, clock, journalBytes === undefined ? {} : { journalBytes });
      opened.push(folder);
      return folder;
    },
    async dispose() {
      for (const folder of opened) await folder.close();
      await rm(dir, { recursive: true });
    },
  };
}

const seed = Number(process.env["PROPERTY_SEED"]);

tried(
  "memory store",
  storeContract({
    seed,
    make() {
      const disk = new MemoryDisk("contract");
      return { store: () => new MemoryStore(disk) };
    },
  }),
);

tried(
  "lmdb store",
  storeContract({
    seed,
    async make() {
      const folder = await newFolder();
      return { store: () => folder.open().store, dispose: () => folder.dispose() };
    },
  }),
);

/** @param make its journal holds at most `max` bytes. */
function journalContracts(name: string, make: (max?: number) => JournalDisk | Promise<JournalDisk>): void {
  tried(`${name} journal`, journalContract({ make }));

  describe(`${name} journal of ours`, () => {
    it("JOURNAL-CURSOR-2: the refusal of a fresh store says which entries went, and how to go on", async () => {
      const disk = await make();
      try {
        const journal = await disk.restart();
        await journal.open(undefined);
        await journal.append(["a", "b", "c"].map(disk.body ?? ((text) => text)));
        await journal.trim(2);
        const again = await disk.restart();
        await expect(again.open(undefined)).rejects.toMatchObject({
          message: expect.stringContaining("1–2 (2 in all)") as string,
          next: expect.stringContaining("signalbox up --adopt-journal") as string,
        });
      } finally {
        await disk.dispose?.();
      }
    });
  });
}

journalContracts("memory", (max) => {
  const disk = new MemoryDisk(`contract-${++disks}`);
  const clock = new ManualClock(1_000_000);
  let last: MemoryJournal | undefined;
  return {
    clock,
    keepsRoom: true,
    async restart() {
      await last?.close();
      return (last = new MemoryJournal(disk, clock, max));
    },
  };
});

journalContracts("lmdb", async (max) => {
  const folder = await newFolder(max);
  let last: LmdbFolder | undefined;
  return {
    clock: folder.clock,
    keepsRoom: true,
    async restart() {
      await last?.close();
      last = folder.open();
      await last.store.open();
      return last.journal;
    },
    dispose: () => folder.dispose(),
  };
});

/** A server of its own, with room for the longest message. */
async function newServer(journalBytes?: number) {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-contract-"));
  await writeFile(join(dir, "nats.conf"), "max_payload: 16777216\n");
  const server = await natsServer(["-c", join(dir, "nats.conf")]);
  const links: NatsLink[] = [];
  return {
    async link() {
      const link = await connectNats({
        url: server.url,
        clients,
        sealKey: new Uint8Array(32).fill(1),
        clock: systemClock(),
        onFatal: () => undefined,
        ...(journalBytes !== undefined && { limits: { journalBytes } }),
      });
      links.push(link);
      return link;
    },
    async dispose() {
      for (const link of links) await link.close();
      await server.dispose();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

journalContracts("nats", async (max) => {
  const server = await newServer(max);
  const message = { door: "in", workspace: "w", session: "s", id: "i", source: "test", type: "test.text" };
  let last: NatsLink | undefined;
  return {
    body: (text) => JSON.stringify({ ...message, data: { text } }),
    async restart() {
      await last?.journal.close();
      await last?.close();
      last = await server.link();
      return last.journal;
    },
    dispose: () => server.dispose(),
  };
});

tried(
  "nats outlet",
  outletContract({
    async make() {
      const server = await newServer();
      const { outlet } = await server.link();
      return {
        publish: (change) => outlet.publish(change),
        lastVersion: (...of) => outlet.lastVersion(...of),
        async close() {
          await outlet.close();
          await server.dispose();
        },
      };
    },
  }),
);

tried("memory outlet", outletContract({ make: () => new MemoryOutlet() }));

blobsContract("memory", () => {
  const disk = new MemoryDisk("contract");
  const clock = new ManualClock(1_000_000);
  return Promise.resolve({
    clock,
    restart: () => new MemoryBlobs(disk, clock),
    damage: (hash: string, text: string) => {
      disk.blobs.set(hash, { text, at: clock.now() });
      return Promise.resolve();
    },
    dispose: () => Promise.resolve(),
  });
});

blobsContract("file", async () => {
  const dir = await mkdtemp(join(tmpdir(), "signalbox-contract-"));
  const clock = new ManualClock(1_000_000);
  return {
    clock,
    restart: () => new BlobFiles(join(dir, "blobs"), clock),
    damage: (hash: string, content: string) => writeFile(join(dir, "blobs", hash), content),
    dispose: () => rm(dir, { recursive: true }),
  };
});
