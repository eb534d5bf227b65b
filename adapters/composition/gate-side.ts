// Gate side
// Connects hooks to the engine: hooks that wait for an answer, and hooks whose messages are in the spool.
//
//   Owns:          which client a hook's message is from, the order of start and stop, which client processes are watched, so
//                  that a session learns that its client has ended.
//   Does not own:  waiting and watching (runtime/gate), the folder of messages (spool), the hooks themselves (install, gate).

import { ClientWatch } from "../../runtime/gate/client-watch.ts";
import type { RefusedError } from "../../runtime/errors/errors.ts";
import { Gate, type GateOptions } from "../../runtime/gate/gate.ts";
import { GATE_MS } from "../../runtime/gate/times.ts";
import { inTime } from "../../runtime/in-time.ts";
import type { Clock } from "../../runtime/ports.ts";
import { type DataFolder, readOwn, writeOwn } from "../data-folder/index.ts";
import { clients } from "./clients.ts";
import { Spool } from "../spool/spool.ts";
import { isSame, markOf, startedAt, userName } from "../system/index.ts";

const hooksDoor = (client?: string): string => `spool:/v1/hooks/${client ?? clients.named()?.name}`;
const GATES_DOOR = "spool:gate";

export class GateSide {
  readonly gate: Gate;
  readonly waits: Gate["heard"] = (id, within) => this.gate.heard(id, within);
  readonly #spool: Spool | undefined;
  readonly #watch: ClientWatch | undefined;
  readonly #clock: Clock;
  #settled: Promise<unknown> = Promise.resolve();

  /** @param folder the data folder; undefined for an engine in memory. */
  constructor(options: GateOptions, folder: DataFolder | undefined) {
    const gate = (this.gate = new Gate(options));
    const { door, clock, onError } = options;
    this.#clock = clock;
    const by = `local:${userName()}`;
    if (folder === undefined) return;
    const settle = async (): Promise<void> => {
      await spool.drain();
      await this.#settled.catch(onError);
    };
    const watch = (this.#watch = new ClientWatch({
      ...options,
      processes: { isSame, markOf, startedAt },
      keeper: { read: () => readOwn(folder.clients), write: (text) => writeOwn(folder.clients, text) },
      settle,
    }));
    const spool = (this.#spool = new Spool({
      dir: folder.spool,
      clock,
      onError,
      take: async ({ body, id, pid, answered, ...says }) => {
        if (answered) return gate.afterwards.leftBehind(body, says, { door: GATES_DOOR, by }, answered);
        const hooked = await door.hook(body, { ...says, id }, { door: hooksDoor(says.client), by });
        this.#settled = hooked.settled;
        watch.heard({ ...hooked.message, pid }, says.time);
      },
      refuse: (error: RefusedError, body, bytes) =>
        door.refusals.record(error, { door: GATES_DOOR, by, body, bytes }),
    }));
  }

  /**
   * Must be called after the engine's start. A gate should decide only after the spool's messages are applied, so this method
   * waits for them, but only for a limited time.
   */
  async start(): Promise<void> {
    const spool = this.#spool;
    if (spool) {
      this.gate.requesting.after(() => spool.drain());
      await spool.start();
      await inTime(this.#clock, spool.drain(), GATE_MS.left).catch(() => undefined);
    }
    this.gate.start();
    await this.#watch?.start();
  }

  async stop(): Promise<void> {
    await this.#watch?.stop();
    this.gate.stop();
    await this.#spool?.stop();
  }
}
