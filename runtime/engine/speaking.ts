// Speaking
// What an engine writes and does by itself while it owns its journal: its first messages, firing deadlines, sweeping, publishing.
//
//   Owns:          which messages the engine must write at a start; which parts of the engine run only while it owns its journal,
//                  when each part begins and ends.
//   Does not own:  whether the engine may speak (mandate), what each part does (timers, maintenance, outlet-publisher).

import { defined, type SessionId, type WorkspaceId } from "../../machines/index.ts";
import { completed } from "../config.ts";
import type { Defects } from "../errors/defects.ts";
import type { EngineOptions } from "./engine-options.ts";
import { dueOf } from "../journal/journal-time.ts";
import { Maintenance, type MaintenanceHost } from "./maintenance.ts";
import type { OwnMessage } from "../message.ts";
import { type Floors, OutletPublisher } from "../outbound/outlet-publisher.ts";
import type { Recovered } from "../outbound/recovery.ts";
import type { Meta } from "../rows/meta.ts";
import type { WorkingSet } from "../rows/working-set.ts";
import { Timers } from "./timers.ts";
import { JOURNAL_KEPT } from "../turn/trimming.ts";

interface Speaker extends Omit<MaintenanceHost, "journalKept" | "published" | "floors"> {
  readonly options: EngineOptions;
  readonly rows: WorkingSet;
  readonly defects: Defects;
  own(workspace: WorkspaceId, session: SessionId, said: OwnMessage["said"]): Promise<unknown>;
}

export class Speaking {
  readonly #with: Speaker;
  readonly #timers: Timers;
  readonly maintenance: Maintenance;
  #publisher: OutletPublisher | undefined;

  constructor(speaker: Speaker) {
    this.#with = speaker;
    this.#timers = new Timers(speaker, speaker.defects, async ({ address, timer, generation }, at) => {
      await speaker.own(at.workspace, at.session, { type: "timer.fired", address, timer, generation });
      return dueOf(speaker.meta());
    });
    this.maintenance = new Maintenance({
      ...speaker,
      journalKept: speaker.options.journalKept ?? JOURNAL_KEPT,
      published: () => this.#publisher?.published ?? 0,
      floors: () => this.floors(),
    });
  }

  get publisher(): OutletPublisher | undefined {
    return this.#publisher;
  }

  floors(): Floors {
    return this.#publisher?.floors() ?? new Map();
  }

  /** Begins to publish, unless publishing has begun already. @param from the store's meta row. */
  publish(from: Meta): OutletPublisher {
    const moved = (): void => this.maintenance.floorMoved();
    const unreadable = (key: string, cause: unknown): void => this.#with.defects.ofRow(key, cause);
    const { options, rows } = this.#with;
    return (this.#publisher ??= new OutletPublisher(options, rows, from, { moved, unreadable }));
  }

  /** @param floors the floors, as they are on disk. @param found what the engine found open, to be published once. */
  begin(floors: Floors, found: Recovered): void {
    this.#publisher?.advance(this.#with.meta());
    this.#publisher?.report(found);
    this.#timers.look();
    this.maintenance.start(floors);
  }

  /** Must be called after each commit. @param timer the first row of the timer index that the commit wrote. */
  look(timer: string | undefined): void {
    this.#timers.look(timer);
    this.maintenance.look();
  }

  stop(): void {
    this.#timers.stop();
    this.maintenance.stop();
  }
}

/**
 * Writes the operator's settings into the journal, unless the journal has the same settings already; also the operator's wish
 * to accept the clock, if any.
 */
export async function sayFirst(
  say: (said: OwnMessage["said"]) => Promise<unknown>,
  known: Meta,
  {
    clients,
    configuration: given,
    guarded,
    acceptClock = false,
  }: Pick<EngineOptions, "clients" | "configuration" | "guarded" | "acceptClock">,
): Promise<void> {
  const whole = completed(given ?? {}, clients.defaults);
  const { partition = known.configuration.partition } = whole;
  const configuration = { ...whole, ...defined({ partition, guarded: guarded?.() }) };
  if (JSON.stringify(known.configuration) !== JSON.stringify(configuration))
    await say({ type: "configured", configuration });
  if (acceptClock) await say({ type: "clock.accepted" });
}
