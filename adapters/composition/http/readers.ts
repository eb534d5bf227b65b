// Readers
// Makes the parts that only HTTP uses, such as the preview of a decision, charts, lines of files, and forgetting a session.
//
//   Owns:          making these parts; from which folders no lines of files are read; who may see lines of files by default.
//   Does not own:  what each part answers (runtime), the routes of the parts (http).

import { homedir } from "node:os";
import { ForgetDoor, type ForgetDoorOptions } from "../../../runtime/door/forget-door.ts";
import { Logs } from "../../../runtime/door/logs.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { Series } from "../../../runtime/reading/figures/series.ts";
import type { Audience, EngineSettings } from "../../../runtime/engine-settings.ts";
import { Preview } from "../../../runtime/reading/preview.ts";
import type { Queries } from "../../../runtime/reading/queries.ts";
import type { AuditLog } from "../../audit-log/index.ts";
import { type DataFolder, readBackups } from "../../data-folder/index.ts";
import { clients, translate } from "../clients.ts";
import { FileLines, type ReadBelow } from "../../../runtime/reading/around/file-lines.ts";
import { readBelow } from "../../system/index.ts";

interface Read extends Pick<EngineSettings, "fileLines"> {
  /** The data folder; undefined for an engine in memory. */
  readonly folder?: DataFolder;
}

interface Inside extends Pick<ForgetDoorOptions, "engine" | "door" | "blobs"> {
  readonly queries: Queries;
  readonly clock: Clock;
  readonly audit: AuditLog | undefined;
}

/** An embedding program must say who may read lines of a project's files; by default nobody may. */
export const readersOf = (
  { folder, fileLines = "off" }: Read,
  { engine, queries, door, blobs, clock, audit }: Inside,
) => ({
  logs: new Logs({ door, store: engine.store }),
  preview: new Preview({ engine, clock, digest: digestId, translate, clients }),
  series: new Series(engine, clock),
  lines: linesOf(folder, fileLines, { engine, queries }),
  auditHead: async () => audit?.head(),
  forgetting: new ForgetDoor({
    ...{ engine, door, blobs },
    ...(audit && { audit }),
    ...(folder && { backups: () => readBackups(folder) }),
  }),
});

function linesOf(
  folder: DataFolder | undefined,
  audience: Audience,
  inside: Pick<Inside, "engine" | "queries">,
): FileLines {
  const surroundings = { home: homedir(), closed: folder ? [folder.dir] : [] };
  const read: ReadBelow = (place, bytesMax) => readBelow(place, bytesMax, surroundings);
  return new FileLines({ ...inside, clients, audience, read });
}
