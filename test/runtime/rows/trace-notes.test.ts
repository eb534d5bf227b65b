import { expect, test } from "vitest";
import { Rig, WORKSPACE } from "../../support/engine/rig.ts";
import { call, said } from "../../support/sessions/said.ts";
import { sessionAddress, type SessionId } from "../../../machines/index.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";

const traceparent = (n: number): string => `00-${String(n).padStart(32, "a")}-${"b".repeat(16)}-01`;

const told = (changes: readonly StateChange[]): readonly string[] =>
  changes.map(
    ({ entity, id, to, traceparent: named }) => `${entity} ${id} ${to} ${named?.slice(34, 35) ?? "-"}`,
  );

/** The traceparents of a thing's changes, each once. */
const of = (rig: Rig, entity: string, id?: string): readonly (string | undefined)[] => [
  ...new Set(
    rig.changes
      .filter((each) => each.entity === entity && (id ?? each.id) === each.id)
      .map((each) => each.traceparent),
  ),
];

test("TRACE-NOTES-1: what a message created tells its traceparent, over a restart, until it is over", async () => {
  const first = await Rig.start();
  const message = { traceparent: traceparent(1) };
  await (
    await first.submit("s", [said.created("r"), said.processing("r")], message)
  ).settled;
  await (
    await first.submit("s", [said.pre(call("own"))], { traceparent: traceparent(2) })
  ).settled;
  await first.tell("s", said.pre(call("plain")), said.ask("a", call("own")));
  await first.engine.stop();
  const rig = await first.restart();
  await rig.tell("s", said.answered("a", call("own"), "approve"));
  await rig.tell("s", said.post(call("own")), said.post(call("plain")));
  await rig.tell("s", said.completed("r"));
  expect(of(rig, "toolcall", "own")).toEqual([traceparent(2)]);
  expect(of(rig, "toolcall", "plain")).toEqual([traceparent(1)]);
  expect(of(rig, "approval")).toEqual([traceparent(2)]);
  expect(of(rig, "request")).toEqual([traceparent(1)]);
  expect(of(rig, "session")).toEqual([undefined]);
  // The next request has none.
  await rig.tell("s", said.created("r2"), said.processing("r2"));
  expect(of(rig, "request", "r2")).toEqual([undefined]);
  // As the log has it.
  expect(told(rig.log())).toEqual(told([...first.changes, ...rig.changes]));
  await rig.engine.stop();
});

test("TRACE-NOTES-2: a session keeps at most 16 notes, and none of work that is over", async () => {
  const rig = await Rig.start();
  const notes = (): readonly string[] => {
    const row = rig.row(keys.actor(sessionAddress(WORKSPACE, "s" as SessionId))) as {
      changes: { traces?: object };
    };
    return Object.keys(row.changes.traces ?? {});
  };
  const ids = Array.from({ length: 20 }, (_, n) => `c${n}`);
  await rig.tell("s", said.created("r"), said.processing("r"));
  for (const [n, id] of ids.entries())
    await (
      await rig.submit("s", [said.pre(call(id))], { traceparent: traceparent(n) })
    ).settled;
  expect(notes()).toEqual(ids.slice(4).map((id) => `call/${id}`));
  for (const id of ids) await rig.tell("s", said.post(call(id)));
  expect(notes()).toEqual([]);
});

test("TRACE-NOTES-3: without the header, the rows are those of before", async () => {
  const [plain, other] = [await Rig.start(), await Rig.start()];
  for (const rig of [plain, other]) {
    await rig.tell("s", said.prompt("p"), said.pre(call("c")), said.post(call("c")), said.stop());
  }
  expect([...plain.rows()].some(([, text]) => text.includes("traceparent") || text.includes("traces"))).toBe(
    false,
  );
  expect([...plain.rows()]).toEqual([...other.rows()]);
});
