// Following
// An engine on a real server that answers queries, with sessions that change as often as a test likes.
//
//   Owns:          composing, stopping and restarting on the same folder and streams; messages that make one change
//                  each.
//   Does not own:  who follows, and what that should see.

import { setTimeout as sleep } from "node:timers/promises";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import { serveNats } from "../../../adapters/nats/services/index.ts";
import { clients } from "../../../adapters/composition/clients.ts";
import type { SourceInput, WorkspaceId } from "../../../machines/index.ts";
import type { Partition } from "../../../runtime/cluster/partition.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { Door } from "../../../runtime/door/door.ts";
import { ENGINE } from "../../../runtime/message.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { systemClock, systemIds } from "../../../adapters/system/index.ts";
import { said } from "../sessions/said.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "./on-nats.ts";

const KEPT_MS = 1;

interface Begun {
  readonly on: OnNats;
  readonly served: { stop(): Promise<void> };
}

async function begin(url: string, disk: MemoryDisk, partition?: Partition): Promise<Begun> {
  const configuration = {
    ...DEFAULT_CONFIGURATION,
    changesKeptMs: KEPT_MS,
    ...(partition && { partition }),
  };
  const on = await engineOnNats({ url, disk, configuration });
  const { engine, link } = on;
  const door = new Door({ engine, clock: systemClock(), ids: systemIds(), clients });
  const onError = (error: unknown): void => {
    throw error;
  };
  const queries = new Queries(engine);
  const served = await serveNats({
    connection: link.connection,
    engine,
    door,
    queries,
    version: "1.0.0",
    onError,
  });
  return { on, served };
}

export async function following(
  url: string,
  {
    disk = new MemoryDisk("following"),
    partition,
  }: { readonly disk?: MemoryDisk; readonly partition?: Partition } = {},
) {
  let begun: Begun | undefined = await begin(url, disk, partition);
  const told = new Map<string, number>();
  const tell = async (session: string, workspace: string, ...inputs: SourceInput[]): Promise<void> => {
    const n = (told.get(`${workspace}/${session}`) ?? 0) + 1;
    told.set(`${workspace}/${session}`, n);
    const message = { ...messageOf(session, `m${n}`, ...inputs), workspace: workspace as WorkspaceId };
    // A server that was just killed takes nothing for a while.
    for (;;) {
      const taken = await begun?.on.engine.submit(message).catch(() => undefined);
      if (taken) {
        await taken.settled;
        return;
      }
      await sleep(20);
    }
  };
  const end = async (): Promise<void> => {
    const was = begun;
    begun = undefined;
    await was?.served.stop();
    await was?.on.stop();
  };
  const engine = (): OnNats["engine"] => {
    if (!begun) throw new Error("There is no engine.");
    return begun.on.engine;
  };
  return {
    disk,
    engine,
    /** A session starts and ends in turn: each is one change. */
    async say(session: string, count: number, workspace = "shop"): Promise<void> {
      for (let n = 0; n < count; n += 1) {
        const isStarted = (told.get(`${workspace}/${session}`) ?? 0) % 2 === 1;
        await tell(session, workspace, isStarted ? said.sessionEnd() : said.sessionStart());
      }
    },
    /** A request is created: the session runs, the request is there. */
    request: (session: string, id: string): Promise<void> => tell(session, "shop", said.created(id)),
    /** Makes the engine remove all present changes. */
    async trim(): Promise<void> {
      const now = engine();
      await until("all changes have left", () => now.lag().outlet === 0);
      await sleep(KEPT_MS + 1);
      const { changes: published } = now.meta();
      await now.own(ENGINE.workspace, ENGINE.session, { type: "swept", published, trimmed: 0 });
      await until("they are gone", () => now.meta().changesFrom === published);
    },
    end,
    async begin(): Promise<void> {
      begun = await begin(url, disk, partition);
    },
    /** Stops it, and removes what it had. */
    async clear(): Promise<void> {
      await end();
      const { manager, close } = await operator(url);
      for (const name of ["SIGNALBOX_IN", "SIGNALBOX_STATE", "SIGNALBOX_DLQ"])
        await manager.streams.delete(name);
      await close();
    },
  };
}
export type Following = Awaited<ReturnType<typeof following>>;
