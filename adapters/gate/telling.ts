// Telling
// Reports to the engine the answers that were given without the engine, so that no approval stays open.
//
//   Owns:          how a report is sent (by a data folder's spool, or to the engine's address), how often, for how long.
//   Does not own:  what the engine does with a report (runtime/gate/afterwards), the spool's format (left-behind).
//
// GATE-TELLING-1. The caller does not wait for a report. Sending a report does not keep the process running, and never throws.
// GATE-TELLING-2. There are three limits: how many reports are in a spool, how many wait for an engine that is away, and how long
//     each waits. A report beyond a limit is dropped; the approval then stays pending until its deadline, and expires.
// GATE-TELLING-3. If no engine has ever run on the data folder, no report is written.

import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import { leaveBehind } from "./left-behind.ts";
import { Line, type WantedApproval, type Where } from "./line.ts";

/** Reports an approval that the gate answered without the engine. Returns without waiting. */
export type Tell = (closed: WantedApproval) => void;

export const FILES_MAX = 4_096;
const WAITING_MAX = 64;

/** Makes a function that leaves reports in the spool, which the engine reads as soon as it runs. */
export function tellBySpool(spool: string, where: Where): Tell {
  let count = 0;
  const leave = async ({ id, body, workspace, onDeadline, more }: WantedApproval): Promise<void> => {
    if ((await where()) === undefined) return;
    const files = await readdir(spool).catch(() => []);
    if (files.length >= FILES_MAX) return;
    const name = `${Math.floor(Date.now() / 1_000)}-${process.pid}-${++count}`;
    const said = { approvalId: id, closed: onDeadline, workspace, clientPid: undefined, body };
    await leaveBehind(spool, name, { ...said, ...(more && { more }) });
  };
  return (closed) => void leave(closed).catch(() => undefined);
}

/** Makes a function that sends each report to the engine's address, for up to an hour, until the engine replies to it. */
export function tellByLine(where: Where): Tell {
  let waiting = 0;
  return (closed) => {
    if (waiting >= WAITING_MAX) return;
    waiting += 1;
    sayByLine(where, closed)
      .catch(() => undefined)
      .finally(() => {
        waiting -= 1;
      });
  };
}

async function sayByLine(where: Where, closed: WantedApproval): Promise<void> {
  const line = new Line(where, closed);
  const since = performance.now();
  const { tell, tellAgain, tellFor } = ASKER_MS;
  for (let n = 0; performance.now() - since < tellFor; n += 1) {
    const heard = await line.closed(closed.onDeadline, performance.now() - since, tell);
    // Any reply of the engine ends the tries: if the engine does not know the approval or refuses the report, trying again is
    // useless.
    if (heard.type !== "away") return;
    await sleep(tellAgain[Math.min(n, tellAgain.length - 1)], undefined, { ref: false });
  }
}
