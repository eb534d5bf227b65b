// down
// Ends the engine that `up -d` started in the background.
//
//   Owns:          the output of `down`.
//   Does not own:  finding the engine's process (background/claim), what an engine does before it ends.
//
// DOWN-1. `down` sends SIGTERM only to the process that keeps this folder's engine running, and kills no process by force.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { Claim } from "../background/claim.ts";
import { type Context, type OfFolder, folderCommand, wholeNumber } from "../command.ts";
import { Failure } from "../failures/failure.ts";
import { runningOn } from "../running.ts";

interface Options extends OfFolder {
  readonly timeout: number;
}

const LOOK_MS = 100;
const TIMEOUT_S = 60;

export function down({ terminal, wiring }: Context): Command {
  return folderCommand("down", "end the engine that runs in the background", "down")
    .option(
      "--timeout <seconds>",
      "how long to wait until the engine has ended",
      wholeNumber(1, 3_600),
      TIMEOUT_S,
    )
    .action(async ({ data, timeout, json = false }: Options) => {
      const folder = wiring.folder(data);
      const claim = new Claim(folder.upNote, wiring.markOf);
      const say = (text: string, value: object): void => (json ? terminal.json(value) : terminal.out(text));
      const holder = await claim.holder();
      if (holder?.isAlive !== true) {
        if (holder) await claim.drop(holder.pid);
        const url = await runningOn(folder);
        if (url !== undefined) throw notOurs(url);
        const gone = holder ? ` The process that ran one, ${holder.pid}, has ended.` : "";
        return say(`No engine runs on ${folder.dir}.${gone}`, { type: "none", data: folder.dir });
      }
      const { pid } = holder;
      process.kill(pid, "SIGTERM");
      const until = performance.now() + timeout * 1000;
      while ((await claim.holder())?.isAlive === true) {
        if (performance.now() > until) throw stillThere(pid, timeout, folder.log);
        await sleep(LOOK_MS);
      }
      await claim.drop(pid);
      say(`The engine on ${folder.dir} has stopped in order.`, { type: "stopped", pid, data: folder.dir });
    });
}

const notOurs = (url: string): Failure =>
  new Failure(
    `An engine runs at ${url}, and was not started with \`up -d\`.`,
    "End the engine where it was started: press Ctrl-C there, or stop the service that keeps it running.",
  );

const stillThere = (pid: number, seconds: number, log: string): Failure =>
  new Failure(
    `Process ${pid} was asked to end and still runs after ${seconds} s.`,
    `Look at ${log}; ask again with \`npx signalbox down\`.`,
  );
