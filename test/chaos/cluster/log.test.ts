// Log: what the judge of the cluster's log finds.

import { expect, it } from "vitest";
import { astray, differing, type Published, wrongIn } from "./log.ts";

const change = (sessionId: string, version: number, more: object = {}): Published => ({
  id: `${sessionId}.${version}`,
  text: JSON.stringify({ sessionId, version, entity: "session", id: sessionId, to: "active", ...more }),
});
const approval = (version: number, to: string, id = "a1"): Published =>
  change("s", version, { entity: "approval", id, to });
const exported = (...approvals: readonly object[]): string =>
  approvals.map((each) => `${JSON.stringify({ kind: "approval", ...each })}\n`).join("");

it("CLUSTER-LOG-1: an id that comes twice is found, whatever stands between", () => {
  expect(wrongIn([change("s", 1), change("t", 1), change("s", 2)])).toEqual([]);
  expect(wrongIn([change("s", 1), change("t", 1), change("t", 1)])).toContain(
    "change t.1 was published twice",
  );
  const again = { ...change("s", 2), id: "s.1" };
  expect(wrongIn([change("s", 1), again])).toEqual(["change s.1 was published twice"]);
});

it("CLUSTER-LOG-2: a version that is missing, comes again or goes back is found", () => {
  for (const versions of [[2], [1, 3], [1, 2, 1]])
    expect(wrongIn(versions.map((version, n) => ({ ...change("s", version), id: `c${n}` })))).not.toEqual([]);
});

it("CLUSTER-LOG-3: an approval that ends in two ways is found; one that is annotated afterwards is none", () => {
  expect(wrongIn([approval(1, "pending"), approval(2, "approved"), approval(3, "annotated")])).toEqual([]);
  expect(wrongIn([approval(1, "approved"), approval(2, "denied")])).toEqual([
    "approval a1 is approved, then denied",
  ]);
  expect(wrongIn([approval(1, "approved"), approval(2, "denied", "a2")])).toEqual([]);
});

it("CLUSTER-LOG-4: an approval that only one engine has, or that another one has in other words, is found", () => {
  const one = { id: "a1", state: "approved" };
  expect(differing(exported(one, { id: "a2" }), exported({ id: "a2" }, one))).toEqual([]);
  expect(differing(exported(one), exported())).toHaveLength(1);
  expect(differing(exported(), exported(one))).toHaveLength(1);
  expect(differing(exported(one), exported({ ...one, state: "denied" }))).toHaveLength(1);
});

it("CLUSTER-LOG-5: a session that is lost, at two partitions, at another one, in another workspace or unasked is found", () => {
  const of = (...sessions: readonly (readonly [id: string, workspace: string])[]): string =>
    sessions.map(([id, workspace]) => `${JSON.stringify({ kind: "session", id, workspace })}\n`).join("");
  const homeOf = (workspace: string): number => Number(workspace.slice(1));
  const found = (...exports: readonly string[]) => astray(exports, new Map([["s", "w1"]]), homeOf);
  expect(found("", of(["s", "w1"]))).toEqual([]);
  for (const exports of [
    ["", ""],
    [of(["s", "w1"]), of(["s", "w1"])],
    [of(["s", "w1"]), ""],
    ["", of(["s", "w2"])],
    ["", of(["s", "w1"], ["s", "w3"])],
    [of(["t", "w0"]), of(["s", "w1"])],
  ])
    expect(found(...exports)).toHaveLength(1);
});
