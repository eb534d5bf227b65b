// Readers
// Collects the parts that only HTTP uses: telemetry's logs, previews, figures, forgetting a session, lines of files.
//
//   Owns:          collecting them.
//   Does not own:  what each answers (runtime), their routes (http).

import { ForgetDoor, type ForgetDoorOptions } from "../../../runtime/door/forget-door.ts";
import { Logs } from "../../../runtime/door/logs.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { Series } from "../../../runtime/reading/figures/series.ts";
import type { EngineSettings } from "../../../runtime/engine-settings.ts";
import { Preview } from "../../../runtime/reading/preview.ts";
import type { Queries } from "../../../runtime/reading/queries.ts";
import { type DataFolder, readBackups } from "../../data-folder/index.ts";
import { clients, translate } from "../clients.ts";
import { linesOf } from "./lines-side.ts";

interface Read extends Pick<EngineSettings, "fileLines"> {
  /** Undefined for an engine in memory. */
  readonly folder?: DataFolder;
}

interface Inside extends Pick<ForgetDoorOptions, "engine" | "door" | "blobs"> {
  readonly queries: Queries;
  readonly clock: Clock;
  readonly audit: ForgetDoorOptions["audit"] | undefined;
}

export const readersOf = (
  { folder, fileLines }: Read,
  { engine, queries, door, blobs, clock, audit }: Inside,
) => ({
  logs: new Logs({ door, store: engine.store }),
  preview: new Preview({ engine, clock, digest: digestId, translate, clients }),
  series: new Series(engine, clock),
  lines: linesOf({ folder, fileLines }, { engine, queries }),
  forgetting: new ForgetDoor({
    ...{ engine, door, blobs },
    ...(audit && { audit }),
    ...(folder && { backups: () => readBackups(folder) }),
  }),
});
