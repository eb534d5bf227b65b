// Gate side
// What hooks bring: those that wait for an answer, and what the others left in the spool.
//
//   Owns:          whose word it is, the order of start and stop.
//   Does not own:  the waiting (runtime/gate), the folder (spool), the hooks themselves (install, gate).

import { userInfo } from "node:os";
import type { RefusedError } from "../runtime/errors.ts";
import { Gate, type GateOptions } from "../runtime/gate/gate.ts";
import { inTime } from "../runtime/in-time.ts";
import type { Clock } from "../runtime/ports.ts";
import { Spool } from "./spool/index.ts";

const HOOKS_DOOR = "spool:/v1/hooks/claude-code";
const FIRST_WAIT_MS = 2_000;
const GATES_DOOR = "spool:gate";

export class GateSide {
  readonly gate: Gate;
  readonly #spool: Spool | undefined;
  readonly #clock: Clock;

  /** @param dir the spool's folder; undefined for an engine that keeps nothing. */
  constructor(options: GateOptions, dir: string | undefined) {
    const gate = (this.gate = new Gate(options));
    const { door, clock, onError } = options;
    this.#clock = clock;
    const by = `local:${userName()}`;
    this.#spool =
      dir === undefined
        ? undefined
        : new Spool({
            dir,
            clock,
            onError,
            async take({ body, id, answered, ...says }) {
              if (answered) await gate.answered(body, says, { door: GATES_DOOR, by }, answered);
              else await door.hook(body, { ...says, id }, { door: HOOKS_DOOR, by });
            },
            refuse: (error: RefusedError, body, bytes) =>
              door.refusals.record(error, { door: GATES_DOOR, by, body, bytes }),
          });
  }

  /** After the engine's start. What the spool holds is taken before anyone decides anew, unless that is very much. */
  async start(): Promise<void> {
    const spool = this.#spool;
    if (spool) {
      this.gate.after(() => spool.drain());
      await spool.start();
      await inTime(this.#clock, spool.drain(), FIRST_WAIT_MS).catch(() => undefined);
    }
    this.gate.start();
  }

  async stop(): Promise<void> {
    this.gate.stop();
    await this.#spool?.stop();
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
