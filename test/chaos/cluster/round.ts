// Round
// Services ask, somebody answers each of them over one way or another, and machines are struck in between.
//
//   Owns:          what is chosen by chance, and when; what the callers heard, how long somebody was missing.
//   Does not own:  striking (struck), answering (answers), who is right (judge, log).

import { setTimeout as sleep } from "node:timers/promises";
import { textAt } from "../../support/engine/json.ts";
import { type Answerable, answer, type Plan } from "../answers.ts";
import { type Call, newCall, now } from "../book.ts";
import type { Chance } from "../chance.ts";
import type { Shown } from "../shown.ts";
import type { Tally } from "../tally.ts";

const WAYS: readonly Plan["way"][] = ["HTTP", "CLI", "NATS"];
/** A caller waits through any take-over. */
const PATIENCE_MS = 120_000;
const LOOK_MS = 20;

/** Engines and servers that are struck. */
export interface Struck {
  /** What can happen to them, for faults with this part in their names. */
  faults(only: string, chance: Chance): readonly (readonly [fault: string, strike: () => Promise<void>])[];
  /** Resolves once everything is whole again. */
  mend(): Promise<void>;
  /** @returns whether each journal has an engine that owns it and takes messages in. */
  look(): Promise<boolean>;
  /** Where the call is asked about and answered. */
  worldOf(call: Call): Answerable;
  /** At the end: how the exports show the approvals, and what is wrong with the logs and exports, in words. */
  shown(
    calls: readonly Call[],
  ): Promise<{ readonly shown: readonly Shown[]; readonly wrong: readonly string[] }>;
  end(): Promise<void>;
}

export interface Setting {
  readonly struck: Struck;
  readonly chance: Chance;
  readonly tally: Tally;
  /** A part of the names of the faults that are struck; all where it is empty. */
  readonly only: string;
  /** How long after each fault nobody owned a journal, ms. */
  readonly away: [fault: string, ms: number][];
}

/** @param name with which the marks of its calls begin. */
export async function round(setting: Setting, name: string): Promise<void> {
  const { struck, chance, tally } = setting;
  const calls = Array.from({ length: chance.between(1, 4) }, (_, n) => callOf(`${name}-${n + 1}`));
  tally.calls.push(...calls);
  const waiting = calls.flatMap((call) => {
    const world = struck.worldOf(call);
    return [
      asked(world, call),
      answer(world, call, newPlan(chance), tally.shown, () => call.said !== undefined),
    ];
  });
  await strikeAll(setting);
  await Promise.all(waiting);
}

/** In a session of its own: a denial would end the others. */
const callOf = (mark: string): Call =>
  newCall(mark, mark, "Bash", { command: `make ${mark}`, description: mark });

const newPlan = (chance: Chance): Plan => ({
  verdict: chance.happens(0.65) ? "approve" : "deny",
  way: chance.pick(WAYS),
  afterMs: chance.between(0, 4_000),
  isEdited: chance.happens(0.15),
  hangsUpAfterMs: chance.happens(0.2) ? chance.between(1, 30) : undefined,
  when: chance.happens(0.25) ? "again" : "once",
});

/** Asks as a service does, and runs the call on the change that approves it. */
async function asked(world: Answerable, call: Call): Promise<void> {
  const client = await world.service();
  const { mark, session, tool, input } = call;
  const said = { tool, toolUseId: `t-${mark}`, input };
  const waiting = new AbortController();
  const patience = setTimeout(() => waiting.abort(), PATIENCE_MS);
  const feed = client.changes({ session, entity: "approval", from: "start", signal: waiting.signal });
  const sender = client.session(session);
  await sender.publish("tool.started", said, { id: `s-${mark}` });
  await sender.publish("approval.requested", said, { id: `a-${mark}` });
  for await (const item of feed) {
    if (item.kind === "gap" || item.change.entity !== "approval") continue;
    const { to, view } = item.change;
    if (textAt(view, "input", "description") !== mark || to === "pending") continue;
    call.said = to === "approved" ? "allow" : to === "denied" ? "deny" : "nothing";
    call.message = textAt(view, "message");
    const ran = view.updatedInput?.input ?? input;
    if (to === "approved") call.runs.push({ at: now(), input: ran });
    break;
  }
  clearTimeout(patience);
  call.endedAt = now();
}

/** One or two faults; resolves once everything runs again. */
async function strikeAll(setting: Setting): Promise<void> {
  const { struck, chance, tally } = setting;
  for (let n = chance.between(1, 2); n > 0; n--) {
    await sleep(chance.between(0, 1_500));
    const [fault, strike] = chance.pick(struck.faults(setting.only, chance));
    const watch = new AbortController();
    const away = longestAway(struck, watch.signal);
    await strike();
    tally.struck(fault, 1);
    await struck.mend().catch((cause: unknown) => {
      const last = [...setting.away.slice(-4).map(([each]) => each), fault].join(", ");
      throw new Error(`The machines are not whole again. The last faults: ${last}.`, { cause });
    });
    watch.abort();
    setting.away.push([fault, await away]);
  }
}

async function longestAway(struck: Struck, watch: AbortSignal): Promise<number> {
  let [longest, since] = [0, performance.now()];
  while (!watch.aborted) {
    if (await struck.look()) since = performance.now();
    longest = Math.max(longest, performance.now() - since);
    await sleep(LOOK_MS);
  }
  return Math.round(longest);
}
