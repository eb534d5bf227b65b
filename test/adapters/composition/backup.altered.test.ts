// Backup, altered
// Backup files whose parts somebody put in another order, added or removed, each with its digest and sums made anew.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { BackupWriter, type ReadFrame, readBackup } from "../../../adapters/backup-file/index.ts";
import { backUp } from "../../../adapters/composition/backup/back-up.ts";
import { restore } from "../../../adapters/composition/backup/restore.ts";
import { addToken, dataFolder } from "../../../adapters/data-folder/index.ts";
import { createEngine } from "../../../adapters/index.ts";
import { event } from "../../support/http/served.ts";
import { scratchEach } from "../../support/processes/scratch.ts";

const base = scratchEach();
const place = (name: string) => dataFolder(join(base(), name), {});
const sealing = { passphrase: "four words that hold", progress: () => undefined };
let file: string;
beforeEach(() => {
  file = join(base(), "a.backup");
});

async function lived(): Promise<void> {
  const engine = await createEngine({ dataDir: place("old").dir });
  await engine.send(event("request.created", { requestId: "r1" }));
  await engine.stop();
  await addToken(place("old"), "anna");
}

describe("a backup that somebody altered", () => {
  type Frame = Pick<ReadFrame, "head" | "body">;

  /** Writes the backup anew with other frames, each with its digest and sums. */
  async function rewritten(change: (frames: Frame[]) => readonly Frame[]): Promise<void> {
    const frames: Frame[] = [];
    for await (const { head, body } of readBackup(file)) frames.push({ head, body });
    const writer = await BackupWriter.begin(file);
    for (const { head, body } of change(frames.slice(0, -1))) await writer.add(head, body);
    await writer.end();
  }
  const isSeal = ({ head }: Frame): boolean => head.part === "secrets";
  const unsealed = (frames: Frame[]): Frame[] => frames.filter((each) => !isSeal(each));
  const told = (frames: Frame[], hasSecrets: boolean): Frame[] =>
    frames.map(({ head, body }) => ({ head: head.part === "header" ? { ...head, hasSecrets } : head, body }));
  const rows = (frames: Frame[]): Frame[] => frames.filter(({ head }) => head.part === "rows");

  test.each<[string, string, (frames: Frame[]) => readonly Frame[]]>([
    ["rows behind the sealed part", "BACKUP_DAMAGED", (all) => [...all, ...rows(all)]],
    [
      "a second header",
      "WRONG_PASSPHRASE",
      (all) => [...all.slice(0, 2), ...all.slice(0, 1), ...all.slice(2)],
    ],
    [
      "rows between two sealed parts",
      "WRONG_PASSPHRASE",
      (all) => [...all, ...rows(all), ...all.filter(isSeal)],
    ],
    ["no sealed part", "BACKUP_DAMAGED", unsealed],
    ["a header that denies the sealed part", "WRONG_PASSPHRASE", (all) => told(all, false)],
    ["neither sealed part nor word of it", "WRONG_PASSPHRASE", (all) => told(unsealed(all), false)],
    [
      "another row before the sealed part",
      "WRONG_PASSPHRASE",
      (all) => [...rows(all), ...all].toSorted(byPart),
    ],
  ])("RESTORE-4, BACKUP-FILE-SEALED-2: the passphrase opens no backup with %s", async (_, code, change) => {
    await lived();
    await backUp(place("old"), file, sealing);
    await rewritten(change);
    for (const wish of [sealing, { ...sealing, isCheck: true }])
      await expect(restore(place("new"), file, wish)).rejects.toMatchObject({ code });
    expect(existsSync(place("new").dir)).toBe(false);
  });

  const byPart = (one: Frame, other: Frame): number => partOf(one) - partOf(other);
  const partOf = ({ head }: Frame): number => ["header", "rows"].indexOf(head.part) >>> 0;
});
