// Round
// Some calls that ask, somebody who answers each, and one or two faults at random moments in between.
//
//   Owns:          what is chosen by chance, and when; the calls of a played and of a real client, and that they ran.
//   Does not own:  striking (world, gates), answering (answers), who is right (judge).
//
// What stood still goes on, and what died runs again, before the next round.

import type { ChildProcess } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { at, textAt } from "../support/engine/json.ts";
import { childrenOf, type Run, touch } from "../support/client/claude.ts";
import { answer, denialIn, editedOf, type Plan } from "./answers.ts";
import { type Call, newCall, now, type Ran, type Way } from "./book.ts";
import type { Chance } from "./chance.ts";
import {
  ask,
  killClient,
  killGate,
  observe,
  playClient,
  questionOf,
  stopGate,
  type Waiting,
} from "./gates.ts";
import { makeRules, ruledCommand } from "./rules.ts";
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

const newPlan = (chance: Chance, when: Plan["when"]): Plan => ({
  // It comes once nobody may run any more: a denial would change nothing.
  verdict: when === "late" || chance.happens(0.65) ? "approve" : "deny",
  way: chance.pick(WAYS),
  afterMs: chance.between(0, 1_000),
  isEdited: chance.happens(0.15),
  hangsUpAfterMs: chance.happens(0.2) ? chance.between(1, 30) : undefined,
  when,
});

interface Question {
  readonly call: Call;
  readonly plan: Plan;
  readonly payload: object;
  readonly client: ChildProcess;
}

/** Calls of one session, by a client each. */
function questionsOf(
  { chance }: Setting,
  name: string,
  recorded: readonly object[],
  isRuled: boolean,
): readonly Question[] {
  return Array.from({ length: chance.between(1, 4) }, (_, n) => {
    const mark = `${name}-${n + 1}`;
    const command = isRuled ? ruledCommand(chance, mark) : undefined;
    const payload = questionOf(chance.pick(recorded), name, mark, command);
    const plan = newPlan(chance, chance.happens(0.05) ? "late" : chance.happens(0.25) ? "again" : "once");
    const call = newCall(name, mark, textAt(payload, "tool_name") ?? "", at(payload, "tool_input") as object);
    return { call, plan, payload, client: playClient() };
  });
}

/** @param name of the session; marks of its calls begin with it. */
export async function playedRound(
  setting: Setting,
  name: string,
  recorded: readonly object[],
): Promise<void> {
  const { world, chance, tally } = setting;
  const isRuled = chance.happens(0.3);
  if (isRuled) tally.rules.push(...(await makeRules(world, chance, name)));
  const questions = questionsOf(setting, name, recorded, isRuled);
  setting.calls.push(...questions.map(({ call }) => call));
  await Promise.all(
    questions.map(({ call, payload, client }) => {
      const made = { ...payload, hook_event_name: "PreToolUse", tool_use_id: `t-${call.mark}` };
      return observe(world, made, client);
    }),
  );
  const waiting = questions.map(({ call, plan, payload, client }) =>
    ask(world, call, payload, client, plan.when === "late" ? 9 : 30),
  );
  const answers = questions.map(({ call, plan }) =>
    answer(world, call, plan, tally.shown, () => call.said !== undefined),
  );
  await strikeAll(setting, (fault, forMs) => strikeCall(chance.pick(waiting), fault, forMs));
  await Promise.all([...answers, ...waiting.map(({ ended }) => ended)]);
  await tellRuns(setting, name);
  await observe(world, { session_id: name, hook_event_name: "SessionEnd", reason: "other" }, undefined);
  for (const { client } of questions) client.kill("SIGKILL");
}

/** As the client's hook does after a call. */
async function tellRuns({ world, calls }: Setting, name: string): Promise<void> {
  for (const { mark, tool, runs } of calls) {
    for (const { input } of runs) {
      const ran = { tool_name: tool, tool_input: input, tool_use_id: `t-${mark}`, tool_response: "" };
      await observe(world, { session_id: name, hook_event_name: "PostToolUse", ...ran }, undefined);
    }
  }
}

/** The real client, with two calls one after another. */
export async function realRound(setting: Setting, name: string): Promise<void> {
  const { world, chance, tally } = setting;
  const scripted = [1, 2].map((n) => {
    const one = touch(`${name}-${n}`);
    return { ...one, input: { ...one.input, description: `${name}-${n}` } };
  });
  const run = await world.claude.prompt(scripted);
  const isOver = (): boolean => hasEnded(run.child);
  while (run.session === "" && !isOver()) await sleep(20);
  const calls = scripted.map(({ name: tool, input }) => newCall(run.session, input.description, tool, input));
  setting.calls.push(...calls);
  const answers = calls.map((call) =>
    answer(world, call, newPlan(chance, chance.happens(0.25) ? "again" : "once"), tally.shown, isOver),
  );
  await strikeAll(setting, (fault, forMs) => strikeRun(world, run.child, calls, fault, forMs));
  await Promise.all([...answers, run.ended]);
  for (const call of calls) call.runs.push(...leftBehind(world, call));
  await toldOf(run, calls);
}

/** A call that ran made its file, or that of the edited input. */
function leftBehind({ claude }: World, { mark, input }: Call): readonly Ran[] {
  const inputs = new Map([
    [mark, input],
    [`${mark}.edited`, editedOf(input)],
  ]);
  return [...inputs].flatMap(([file, ran]) =>
    claude.ran(file) ? [{ at: statSync(join(claude.project, file)).mtimeMs, input: ran }] : [],
  );
}

/** Files that no call of the book makes. */
export function straysIn({ claude }: World, calls: readonly Call[]): readonly string[] {
  const known = new Set(calls.flatMap(({ mark }) => [mark, `${mark}.edited`]));
  return readdirSync(claude.project).filter((file) => !file.startsWith(".") && !known.has(file));
}

/** What the real client told its model of each. */
async function toldOf(run: Run, calls: readonly Call[]): Promise<void> {
  const results = await run.results();
  calls.forEach((call, n) => {
    const text = results.find(({ id }) => id === `toolu_0${n + 1}`)?.text;
    const [closed] = /Signalbox gave no answer.*/.exec(text ?? "") ?? [];
    const denial = denialIn(text ?? "") ?? closed;
    call.message = denial ?? text;
    if (call.runs.length > 0) call.said = "allow";
    else if (text !== undefined) call.said = denial === undefined ? "nothing" : "deny";
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
    for (const call of waited) call.backAt = now();
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
