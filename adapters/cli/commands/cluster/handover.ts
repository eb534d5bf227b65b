// handover
// Gives the journal to a spare, and tells who owns it then.
//
//   Owns:          waiting for the new owner, the output.
//   Does not own:  whether a spare is there, what handing over is (the engine), which engine takes over (runtime/cluster).
//
// HANDOVER-1. It says that a spare took over only once this machine's engine has read that spare's term in the journal.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { z } from "zod";
import { type Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../../command.ts";
import { Failure } from "../../failures/failure.ts";
import { type Standing, standingIn } from "../../running.ts";

type Options = Common & { readonly timeout: number };

const TIMEOUT_S = 30;
const LOOK_MS = 50;

const handedOver = z.looseObject({ to: z.array(z.string()), next: z.enum(["stands by", "ends"]) });

export function handover(context: Context): Command {
  return clientCommand("handover", "give the journal to a spare, as before an update", "handover")
    .option("--timeout <seconds>", "how long to wait for the new owner", wholeNumber(1, 600), TIMEOUT_S)
    .action(async (options: Options) => {
      const { terminal } = context;
      const client = await engineOf(context, options);
      const { term = 0 } = await standingOf(client);
      const { to, next } = handedOver.parse(
        succeeded(await client.send("POST", "/v1/handover", { body: {} })).body,
      );
      const spares = to.join(", ");
      if (next === "ends") {
        if (options.json === true) return terminal.json({ type: "handed-over", to, next });
        return terminal.out(
          `This engine ends, and the spare at ${spares} takes over. If this engine had been started with --follow, it would now stand by.`,
        );
      }
      const owner = await ownerAfter(term, client, options.timeout);
      if (owner === undefined) throw nobodyYet(spares, options.timeout);
      if (owner.role === "owner") throw none(spares, owner);
      if (options.json === true) return terminal.json({ type: "handed-over", to, next, ...owner });
      terminal.out(
        `The engine at ${owner.owner} owns the journal now (term ${owner.term}); this one stands by.`,
      );
    });
}

/** HANDOVER-1. @returns undefined where no newer term was read in time. */
async function ownerAfter(term: number, client: Client, seconds: number): Promise<Standing | undefined> {
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
    const found = await standingOf(client);
    if ((found.term ?? 0) > term && (found.role === "owner" || found.owner !== undefined)) return found;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** @returns an empty object while the engine starts. */
async function standingOf(client: Client): Promise<Standing> {
  try {
    return standingIn((await client.send("GET", "/readyz")).body);
  } catch {
    return {};
  }
}

const nobodyYet = (spares: string, seconds: number): Failure =>
  new Failure(
    `The journal was handed over to the spare at ${spares}, but ${seconds} s later this engine still knows of no new owner.`,
    "Run `npx signalbox status` on both machines.",
  );

const none = (spares: string, { term }: Standing): Failure =>
  new Failure(
    `The spare at ${spares} did not take over, so this engine owns the journal again (term ${term}).`,
    "Look at the spare's log, and run `npx signalbox status` on its machine.",
  );
