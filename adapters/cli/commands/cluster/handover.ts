// handover
// Hands the journal over to a spare, and prints which engine owns the journal then.
//
//   Owns:          waiting for the new owner, the output of `handover`.
//   Does not own:  finding a spare and handing over (the engine), which spare takes over (runtime/cluster).
//
// HANDOVER-1. `handover` reports that a spare took over only once the asked engine has read in the journal that the spare's term
//     as the owner has begun.

import { setTimeout as sleep } from "node:timers/promises";
import type { Command } from "commander";
import { z } from "zod";
import { type Client, succeeded } from "../../client.ts";
import { clientCommand, type Common, type Context, engineOf, wholeNumber } from "../../command.ts";
import { Failure } from "../../failures/failure.ts";
import type { Terminal } from "../../output/terminal.ts";
import { type Standing, standingIn } from "../../running.ts";

type Options = Common & { readonly timeout: number; readonly upgrade?: boolean; readonly leave: number };

export const LEAVE = "how long engines of the old version leave the journal to the new one";
export const LEAVE_S = 60;
export const LEAVE_MAX_S = 3_600;

const TIMEOUT_S = 30;
const LOOK_MS = 50;

const handedOver = z.looseObject({ to: z.array(z.string()), next: z.enum(["stands by", "ends"]) });

export function handover(context: Context): Command {
  return clientCommand("handover", "give the journal to a spare, as before an update", "handover")
    .option("--timeout <seconds>", "how long to wait for the new owner", wholeNumber(1, 600), TIMEOUT_S)
    .option("--upgrade", "end all engines at one entry instead, so that they come back in another version")
    .option("--leave <seconds>", `with --upgrade: ${LEAVE}`, wholeNumber(0, LEAVE_MAX_S), LEAVE_S)
    .action(async (options: Options) => {
      const { terminal } = context;
      const { upgrade = false, leave } = options;
      const client = await engineOf(context, options);
      const { term = 0 } = await standingOf(client);
      const request = { body: {}, ...(upgrade && { query: { upgrade: leave } }) };
      const handed = handedOver.parse(succeeded(await client.send("POST", "/v1/handover", request)).body);
      if (upgrade) return ofNewTerm(term, handed, client, options, terminal);
      const { to, next } = handed;
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
        `The engine at ${owner.owner} owns the journal now (term ${owner.term}); this engine stands by.`,
      );
    });
}

async function ofNewTerm(
  term: number,
  { to, next }: z.infer<typeof handedOver>,
  client: Client,
  { json = false, leave, timeout }: Options,
  terminal: Terminal,
): Promise<void> {
  if (next === "stands by" && !json) terminal.err("All engines stop at the same entry, and start again.");
  const owner = next === "ends" ? undefined : await ownerAfter(term, client, leave + timeout);
  if (next !== "ends" && !owner) throw noNewTerm(leave + timeout);
  if (json) {
    terminal.json({ type: "term-ended", to, next, ...owner });
    return;
  }
  if (!owner) {
    terminal.out("All engines stop at the same entry. Start this engine again with the new version.");
    return;
  }
  const which = owner.role === "owner" ? "This engine" : `The engine at ${owner.owner}`;
  terminal.out(`${which} owns the journal now (term ${owner.term}).`);
}

/** HANDOVER-1. Waits until this machine's engine knows the owner of a newer term. @returns undefined if it knows none in time. */
async function ownerAfter(term: number, client: Client, seconds: number): Promise<Standing | undefined> {
  for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
    const found = await standingOf(client);
    if ((found.term ?? 0) > term && (found.role === "owner" || found.owner !== undefined)) return found;
    await sleep(LOOK_MS);
  }
  return undefined;
}

/** @returns the engine's role and term; an empty object while the engine starts. */
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
    "Run `npx signalbox status` on the machines of this engine and of the spare.",
  );

const noNewTerm = (seconds: number): Failure =>
  new Failure(
    `All engines stopped at the same entry, but ${seconds} s later none of them owns the journal.`,
    "Look at the engines' logs, and run `npx signalbox status` on each machine.",
  );

const none = (spares: string, { term }: Standing): Failure =>
  new Failure(
    `The spare at ${spares} did not take over, so this engine owns the journal again (term ${term}).`,
    "Look at the spare's log, and run `npx signalbox status` on its machine.",
  );
