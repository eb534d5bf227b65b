// Round
// Some calls that ask, somebody who answers each, and one or two faults at random moments in between.
//
//   Owns:          what is chosen by chance, and when; the calls of a played and of a real client.
//   Does not own:  striking (world, gates), answering (answers), who is right (judge).
//
// What stood still goes on, and what died runs again, before the next round.

import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { at } from "../support/engine/json.ts";
import { childrenOf, touch } from "../support/client/claude.ts";
import { answer, messageOf } from "./answers.ts";
import type { Chance } from "./chance.ts";
import {
  ask,
  type Call,
  killClient,
  killGate,
  observe,
  playClient,
  questionOf,
  stopGate,
  type Way,
  type Waiting,
} from "./gates.ts";
import type { Tally } from "./tally.ts";
import { hasEnded, tell, type World } from "./world.ts";

const WORLD_FAULTS = [
  "engine killed",
  "engine killed",
  "engine and supervisor killed",
  "engine stopped",
  "NATS killed",
  "NATS stopped",
] as const;
const CALL_FAULTS = ["hook killed", "hook stopped", "client killed", "client stopped"] as const;
const WAYS: readonly Way[] = ["HTTP", "HTTP", "HTTP", "HTTP", "NATS", "NATS", "NATS", "CLI"];

interface Setting {
  readonly world: World;
  readonly chance: Chance;
  readonly tally: Tally;
  /** The calls of this round. */
  readonly calls: Call[];
}

const newCall = (
  { chance }: Setting,
  session: string,
  mark: string,
  input: object,
  isAnswered: boolean,
): Call => ({
  session,
  mark,
  input,
  wanted: isAnswered
    ? {
        verdict: chance.happens(0.65) ? "approve" : "deny",
        way: chance.pick(WAYS),
        afterMs: chance.between(0, 1_000),
      }
    : undefined,
  isHarmed: false,
  said: undefined,
  message: undefined,
  endedAt: undefined,
  backAt: undefined,
  accepted: undefined,
});

/** @param name of the session; marks of its calls begin with it. */
export async function playedRound(
  setting: Setting,
  name: string,
  recorded: readonly object[],
): Promise<void> {
  const { world, chance, tally } = setting;
  const clients: ChildProcess[] = [];
  const waiting: Waiting[] = [];
  for (let n = 1, count = chance.between(1, 4); n <= count; n++) {
    const [mark, client] = [`${name}-${n}`, playClient()];
    clients.push(client);
    const payload = questionOf(chance.pick(recorded), name, mark);
    const isAnswered = !chance.happens(0.04);
    const call = newCall(setting, name, mark, at(payload, "tool_input") as object, isAnswered);
    tally.calls.push(call);
    setting.calls.push(call);
    await observe(world, { ...payload, hook_event_name: "PreToolUse", tool_use_id: `t-${mark}` }, client);
    waiting.push(ask(world, call, payload, client, isAnswered ? 30 : 9));
  }
  const answers = waiting.map(({ call }) => answer(world, call, () => call.said !== undefined));
  await strikeAll(setting, (fault, forMs) => strikeCall(chance.pick(waiting), fault, forMs));
  await Promise.all([...answers, ...waiting.map(({ ended }) => ended)]);
  for (const { call } of waiting) {
    if (call.said !== "allow") continue;
    const tool = {
      tool_name: "Bash",
      tool_input: call.input,
      tool_use_id: `t-${call.mark}`,
      tool_response: "",
    };
    await observe(world, { session_id: name, hook_event_name: "PostToolUse", ...tool }, undefined);
  }
  await observe(world, { session_id: name, hook_event_name: "SessionEnd", reason: "other" }, undefined);
  for (const client of clients) client.kill("SIGKILL");
}

/** The real client, with two calls one after another. */
export async function realRound(setting: Setting, name: string): Promise<void> {
  const { world, tally } = setting;
  const scripted = [1, 2].map((n) => {
    const one = touch(`${name}-${n}`);
    return { ...one, input: { ...one.input, description: `${name}-${n}` } };
  });
  const run = await world.claude.prompt(scripted);
  const isOver = (): boolean => hasEnded(run.child);
  while (run.session === "" && !isOver()) await sleep(20);
  const calls = scripted.map(({ input }) => newCall(setting, run.session, input.description, input, true));
  setting.calls.push(...calls);
  const answers = calls.map((call) => answer(world, call, isOver));
  await strikeAll(setting, (fault, forMs) => strikeRun(world, run.child, calls, fault, forMs));
  await Promise.all([...answers, run.ended]);
  const results = await run.results();
  calls.forEach((call, n) => {
    const text = results.find(({ id }) => id === `toolu_0${n + 1}`)?.text;
    call.said = world.claude.ran(call.mark) ? "allow" : text === undefined ? "nothing" : "deny";
    call.message = text?.includes(messageOf(call)) === true ? messageOf(call) : text;
    // One that was never asked about, because its client was killed before, is no call of this test.
    if (call.accepted || call.said !== "nothing") tally.calls.push(call);
  });
}

/** One or two faults; resolves once everything runs again. */
async function strikeAll(
  setting: Setting,
  strikeOne: (fault: (typeof CALL_FAULTS)[number], forMs: number) => Promise<number>,
): Promise<void> {
  const { world, chance, tally } = setting;
  for (let n = chance.between(1, 2); n > 0; n--) {
    await sleep(chance.between(0, 800));
    const forMs = chance.between(100, 1_500);
    if (chance.happens(0.4)) {
      const fault = chance.pick(CALL_FAULTS);
      tally.struck(fault, await strikeOne(fault, forMs));
      continue;
    }
    const fault = chance.pick(WORLD_FAULTS);
    const waited = setting.calls.filter(({ said }) => said === undefined);
    tally.struck(fault, await world.strike(fault, forMs));
    await world.mend();
    for (const call of waited) call.backAt = Date.now();
  }
  await world.mend();
}

async function strikeCall(
  waiting: Waiting,
  fault: (typeof CALL_FAULTS)[number],
  forMs: number,
): Promise<number> {
  if (fault === "hook killed") return killGate(waiting) ? 1 : 0;
  if (fault === "client killed") return killClient(waiting) ? 1 : 0;
  const { client } = waiting;
  const stopped =
    fault === "hook stopped"
      ? stopGate(waiting)
      : client.pid && tell(client.pid, "SIGSTOP")
        ? [client.pid]
        : [];
  await sleep(forMs);
  for (const pid of stopped) tell(pid, "SIGCONT");
  return stopped.length;
}

async function strikeRun(
  world: World,
  client: ChildProcess,
  calls: readonly Call[],
  fault: (typeof CALL_FAULTS)[number],
  forMs: number,
): Promise<number> {
  const { pid } = client;
  if (pid === undefined || hasEnded(client)) return 0;
  const targets = fault.startsWith("client")
    ? [pid]
    : childrenOf(pid).filter((each) => world.claude.gates().includes(each));
  const struck = targets.filter((each) => tell(each, fault.endsWith("killed") ? "SIGKILL" : "SIGSTOP"));
  if (fault.endsWith("killed") && struck.length > 0) for (const call of calls) call.isHarmed = true;
  if (fault.endsWith("stopped")) {
    await sleep(forMs);
    for (const each of struck) tell(each, "SIGCONT");
  }
  return struck.length;
}

/** A round's own setting. */
export const settingOf = (world: World, chance: Chance, tally: Tally): Setting => ({
  world,
  chance,
  tally,
  calls: [],
});
