// Telling
// Reports to the engine the answers that were given without it, so that no approval stays open.
//
//   Owns:          how a report is sent (by the spool of a data folder, otherwise to the engine's address), how often, how long.
//   Does not own:  what the engine does with it (runtime/gate/afterwards), the spool's format (left-behind).
//
// GATE-TELLING-1. The caller does not wait for a report. A report keeps no process alive, and throws nothing.
// GATE-TELLING-2. Three limits hold: for the reports in a spool, for the reports that wait for an engine that is away, and for
//     how long each waits. A report beyond a limit is dropped, and its approval expires.
// GATE-TELLING-3. If no engine has ever run, nothing is written.

import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import { leaveBehind } from "./left-behind.ts";
import { Line, type WantedApproval, type Where } from "./line.ts";

export interface Telling {
  /** Reports an approval that the gate answered without the engine. Returns at once. */
  tell(closed: WantedApproval): void;
}

export const FILES_MAX = 4_096;
const WAITING_MAX = 64;

/** Writes reports into the spool of a data folder, from which the engine reads them as soon as it runs. */
export class TellingBySpool implements Telling {
  readonly #spool: string;
  readonly #where: Where;
  #count = 0;

  constructor(spool: string, where: Where) {
    this.#spool = spool;
    this.#where = where;
  }

  tell(closed: WantedApproval): void {
    this.#leave(closed).catch(() => undefined);
  }

  async #leave({ id, body, workspace, onDeadline, more }: WantedApproval): Promise<void> {
    if ((await this.#where()) === undefined) return;
    const files = await readdir(this.#spool).catch(() => []);
    if (files.length >= FILES_MAX) return;
    const name = `${Math.floor(Date.now() / 1_000)}-${process.pid}-${++this.#count}`;
    const said = { approvalId: id, closed: onDeadline, workspace, clientPid: undefined, body };
    await leaveBehind(this.#spool, name, { ...said, ...(more && { more }) });
  }
}

/** Sends reports to the engine's address, repeatedly until it accepts them. */
export class TellingByLine implements Telling {
  readonly #where: Where;
  #waiting = 0;

  constructor(where: Where) {
    this.#where = where;
  }

  tell(closed: WantedApproval): void {
    if (this.#waiting >= WAITING_MAX) return;
    this.#waiting += 1;
    this.#say(closed)
      .catch(() => undefined)
      .finally(() => {
        this.#waiting -= 1;
      });
  }

  async #say(closed: WantedApproval): Promise<void> {
    const line = new Line(this.#where, closed);
    const since = performance.now();
    const { tell, tellAgain, tellFor } = ASKER_MS;
    for (let n = 0; performance.now() - since < tellFor; n += 1) {
      const heard = await line.closed(closed.onDeadline, performance.now() - since, tell);
      // Any reply of the engine ends the tries. If it does not know the approval or refuses the report, there is nothing to end.
      if (heard.type !== "away") return;
      await sleep(tellAgain[Math.min(n, tellAgain.length - 1)], undefined, { ref: false });
    }
  }
}
