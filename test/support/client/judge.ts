// Judge
// What became of each call by the client's own word, beside what the engine has; and whose word it ran on.
//
//   Owns:          both lists; which decisions the export has, and which the desk's commands gave.
//   Does not own:  the client (claude.ts), finer ends than "ran" and "not run".
//
// The client's word is what it told its model, read from its requests and from nothing of the engine. The calls that are
// judged cannot fail: one with an error did not run.

import { setTimeout as sleep } from "node:timers/promises";
import { at, textAt } from "../engine/json.ts";
import { jsonLines } from "../processes/program.ts";
import type { Claude, Run } from "./claude.ts";

export type Fate = "ran" | "not run";
export type Fates = Readonly<Record<string, Fate>>;

export interface Judged {
  readonly client: Fates;
  readonly engine: Fates;
  /** The calls that ran, by the client's word, though no decision on disk allows them that the test gave. */
  readonly uncaused: readonly string[];
}

const OPEN = /^(created|queued|processing)/;

/** Once the client has ended, and no call of it is open here. */
export async function judge(claude: Claude, run: Run): Promise<Judged> {
  const results = await run.results();
  const client = Object.fromEntries(
    results.map(({ id, isError }): [string, Fate] => [id, isError ? "not run" : "ran"]),
  );
  let calls = await callsOf(claude, run);
  while (Object.keys(calls).length < results.length || Object.values(calls).some((end) => OPEN.test(end))) {
    await sleep(100);
    calls = await callsOf(claude, run);
  }
  const engine = Object.fromEntries(
    Object.entries(calls).map(([id, end]): [string, Fate] => [
      id,
      end === "completed" || end === "failed" ? "ran" : "not run",
    ]),
  );
  const allowed = await allowedIn(claude, run);
  const uncaused = Object.keys(client).filter((id) => client[id] === "ran" && !allowed.has(id));
  return { client, engine, uncaused };
}

async function callsOf(claude: Claude, run: Run): Promise<Readonly<Record<string, string>>> {
  const { out } = await claude.desk.run(["ls", "calls", run.session, "--json"]);
  return Object.fromEntries(
    jsonLines(out).map((call) => [textAt(call, "id") ?? "", textAt(call, "execution") ?? ""]),
  );
}

/** The calls that the test allowed, or a rule that it made, as the journal has it. */
async function allowedIn(claude: Claude, run: Run): Promise<ReadonlySet<string>> {
  const { out } = await claude.desk.run(["export", run.session, "--json"]);
  const decisions = jsonLines(out).filter(
    (line) =>
      textAt(line, "kind") === "change" &&
      textAt(line, "entity") === "approval" &&
      textAt(line, "to") === "approved" &&
      at(line, "view", "observed") !== true &&
      isGiven(claude, textAt(line, "view", "id") ?? "", textAt(line, "view", "by") ?? ""),
  );
  return new Set(decisions.map((line) => textAt(line, "view", "callId") ?? ""));
}

/** The engine's word alone is not enough: it may have answered by itself. */
function isGiven({ desk: { given } }: Claude, approval: string, by: string): boolean {
  if (!by.startsWith("rule:"))
    return given.some(([name, ...rest]) => name === "approve" && rest.includes(approval));
  return given.some(([name, ...rest]) => name === "rules" && rest[0] === "add" && rest[1] === "allow");
}
