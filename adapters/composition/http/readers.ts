// Readers
// Collects the parts that only HTTP uses: telemetry's logs, previews, figures, forgetting a session.
//
//   Owns:          collecting them.
//   Does not own:  what each answers (runtime), their routes (http).

import { ForgetDoor, type ForgetDoorOptions } from "../../../runtime/door/forget-door.ts";
import { Logs } from "../../../runtime/door/logs.ts";
import { digestId } from "../../../runtime/foreign-id.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { Series } from "../../../runtime/reading/figures/series.ts";
import { Preview } from "../../../runtime/reading/preview.ts";
import { type DataFolder, readBackups } from "../../data-folder/index.ts";
import { clients, translate } from "../clients.ts";

interface Inside extends Pick<ForgetDoorOptions, "engine" | "door" | "blobs"> {
  readonly clock: Clock;
  readonly audit: ForgetDoorOptions["audit"] | undefined;
  /** Undefined for an engine in memory. */
  readonly folder: DataFolder | undefined;
}

export const readersOf = ({ engine, door, blobs, clock, audit, folder }: Inside) => ({
  logs: new Logs({ door, store: engine.store }),
  preview: new Preview({ engine, clock, digest: digestId, translate, clients }),
  series: new Series(engine, clock),
  forgetting: new ForgetDoor({
    ...{ engine, door, blobs },
    ...(audit && { audit }),
    ...(folder && { backups: () => readBackups(folder) }),
  }),
});
