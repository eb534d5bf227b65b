// Every table
// A store in memory that has rows in every table, made by an engine that lived some days; and what alters a row.
//
//   Owns:          what happens in it, one kind of row for each shape of a key, changing one value of a row.
//   Does not own:  which tables there are (runtime/verify/tables), finding the damage (runtime/verify).

import type { ApprovalId, RequestId, SessionId } from "../../../machines/index.ts";
import { DEFAULT_CONFIGURATION } from "../../../runtime/config.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { tableOf, TABLES } from "../../../runtime/verify/tables.ts";
import { diedAt } from "../faults/poisoned.ts";
import { policyOn, says } from "../rules/policies.ts";
import { addRule, askFor, removeRule, ruleFor } from "../rules/ruled.ts";
import { glob } from "../rules/terms.ts";
import { call, said } from "../sessions/said.ts";
import { DAY_MS, HOUR_MS, Rig, WORKSPACE } from "./rig.ts";

/** The journal is kept from its first entry on. */
const KEPT = { journalKept: { ms: Infinity, bytes: Infinity } };

async function told(rig: Rig, session: string): Promise<void> {
  await rig.tell(session, said.prompt(`${session}-p`));
  await rig.tell(session, {
    type: "request.created",
    requestId: `${session}-r` as RequestId,
    chatId: `${session}-chat`,
  });
  for (const id of ["c1", "c2"]) await rig.tell(session, said.announced(call(`${session}-${id}`)));
  for (const id of ["1", "2"])
    await rig.tell(session, said.ask(`${session}-a${id}`, call(`${session}-c${id}`)));
  await rig.engine.own(WORKSPACE, session as SessionId, {
    type: "decision",
    approvalId: `${session}-a1` as ApprovalId,
    decision: "deny",
    by: "me",
  });
  // It ran though it was denied: an alarm.
  await rig.tell(session, said.pre(call(`${session}-c1`)));
  await (
    await rig.submit(session, [], { type: "test.refused" })
  ).settled;
  await (
    await rig.submit(session, [said.completed("unknown")], { key: `k_${session}` })
  ).settled;
  for (const sequence of [1, 3])
    await (
      await rig.submit(session, [said.pre(call(`${session}-l${sequence}`))], { source: "numbered", sequence })
    ).settled;
}

/** The engine was killed: what it leaves of its start is there, too. */
export async function everyTable(): Promise<Rig> {
  const configuration = { ...DEFAULT_CONFIGURATION, tombstoneMs: HOUR_MS };
  const before = await Rig.start({ ...KEPT, configuration, build: "b" });
  await ruleFor(before, glob("allow", "git *"), { forMs: 100 * DAY_MS });
  await removeRule(before, await ruleFor(before, glob("deny", "rm *")));
  await before.tell("s0", said.sessionStart(), said.prompt("s0-p"), said.pre(call("s0-c")));
  await before.tell("s0", said.ask("s0-a", call("s0-c")), said.sessionEnd());
  await before.pass(2 * DAY_MS, HOUR_MS);
  await before.tell("s3", said.sessionStart(), said.sessionEnd());
  await before.pass(DAY_MS + HOUR_MS / 2, HOUR_MS / 2);
  await told(before, "s1");
  await before.engine.stop();
  await diedAt(before, JSON.stringify(before.message("s1", [said.post(call("s1-c2"))])));
  const rig = await before.restart();
  await askFor(rig, "s2-a", "git status", "s2");
  await addRule(rig, glob("allow", "ls"));
  await told(rig, "s4");
  await policyOn(rig, () => says("none")).then((side) => {
    side.stop();
  });
  await askFor(rig, "s5-a", "make all", "s5");
  await rig.quiet();
  rig.kill();
  const { rows } = rig.disk;
  const { position } = rig.engine.meta();
  for (const [key, row] of [
    [keys.published, 1],
    [keys.posted, 1],
    [keys.trying, { position, times: 1 }],
    [keys.differs, position],
    [keys.starts, { position, deaths: 1 }],
  ] as const)
    rows.set(key, JSON.stringify(row));
  return rig;
}

const SHAPES_MAX = 4;

/** Some keys of each table, each of another shape: ids and numbers make no other shape. */
export function shapesIn({ disk }: Rig): ReadonlyMap<string, readonly string[]> {
  const shapes = new Map<string, string>();
  for (const [key] of disk.rows.range({ gte: " ", lt: "~" }))
    shapes.set(key.replace(/[^/]*\d[^/]*/g, "#"), key);
  const all = [...shapes.values()];
  return new Map(
    Object.keys(TABLES).map((table) => [table, spread(all.filter((key) => tableOf(key) === table))]),
  );
}

/** At most a few of them, from the first to the last. */
const spread = (keys: readonly string[]): readonly string[] =>
  keys.filter((_, index) => index % Math.ceil(keys.length / SHAPES_MAX) === 0);

/** Every place of a value that is no object, as the keys that lead there. */
export function placesIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  return Object.entries(value).flatMap(([name, inner]) => placesIn(inner).map((place) => [name, ...place]));
}

/** A row with another value at one place. */
export function altered(text: string, place: readonly string[]): string {
  return JSON.stringify(changedAt(JSON.parse(text) as unknown, place));
}

function changedAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return otherThan(value);
  if (Array.isArray(value))
    return (value as readonly unknown[]).map((each, index) =>
      String(index) === name ? changedAt(each, rest) : each,
    );
  const fields = value as Readonly<Record<string, unknown>>;
  return { ...fields, [name]: changedAt(fields[name], rest) };
}

function otherThan(value: unknown): unknown {
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : `${JSON.stringify(value)}.`;
}
