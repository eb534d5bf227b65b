// Assign
// A person says who is to answer; the lists say so, and anybody may still answer.

import { expect, it } from "vitest";
import { deskWithEngine } from "../../../support/processes/desk-for-all.ts";
import { type Ended, jsonLines } from "../../../support/processes/program.ts";

const desk = deskWithEngine();
const run = (...args: readonly string[]): Promise<Ended> => desk.run(args);

async function ask(id: string): Promise<void> {
  const call = { tool: "Bash", toolUseId: `t-${id}`, input: { command: "make" } };
  await desk.emit("tool.started", call, `shop/s-${id}`);
  await desk.emit("approval.requested", { ...call, approvalId: id }, `shop/s-${id}`);
}

it("CLI: assign names somebody in both lists, takes it back, and is refused once it is answered", async () => {
  for (const id of ["a1", "a2"]) await ask(id);
  expect((await run("approvals", "--short")).out).not.toContain("FOR");
  expect(await run("assign", "a1", "a2", "--to", "local:an\u001b[2Kna")).toMatchObject({
    ...{ code: 0, err: "" },
    out: "a1 is assigned to local:an␛[2Kna.\na2 is assigned to local:an␛[2Kna.\n",
  });
  const told = await run("assign", "a1", "--to", "anna", "--json");
  expect([told.code, jsonLines(told.out)]).toMatchObject([0, [{ approvalId: "a1", result: "accepted" }]]);
  const short = (await run("approvals", "--short")).out.split("\n");
  expect(short[0]).toMatch(/SESSION +FOR$/);
  expect(short.slice(1, 3).map((line) => line.replace(/^(\S+) .* (\S+)$/, "$1 $2"))).toEqual([
    "a1 anna",
    "a2 an␛[2Kna",
  ]);
  expect((await run("approvals", "a1")).out).toMatch(/^ {2}assigned {2}to anna by local:\S+, /m);
  expect(jsonLines((await run("approvals", "a2", "--json")).out)).toMatchObject([
    { assigned: { to: "an\u001b[2Kna" } },
  ]);
  expect((await run("assign", "a1", "--to", "nobody")).out).toBe("a1 is assigned to nobody.\n");
  expect(jsonLines((await run("approvals", "a1", "--json")).out)[0]).not.toHaveProperty("assigned");
  await run("deny", "a1");
  const late = await run("assign", "a1", "--to", "anna");
  expect([late.code, late.out]).toEqual([1, ""]);
  expect(late.err).toContain("The assignment does not count: already denied by local:");
  const lateInJson = await run("assign", "a1", "--to", "anna", "--json");
  expect([lateInJson.code, jsonLines(lateInJson.out)]).toMatchObject([
    1,
    [{ result: "ignored", state: "denied" }],
  ]);
});

it("CLI: assign without a name, with one that is too long, or of no approval, says what is wrong", async () => {
  expect(await run("assign", "a1")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--to") as string,
  });
  await ask("a3");
  expect((await run("assign", "a3", "--to", "x".repeat(129))).code).toBe(1);
  expect(await run("assign", "none", "--to", "anna")).toMatchObject({
    code: 1,
    err: "There is no approval none.\n`npx signalbox approvals` lists the approvals that wait.\n",
  });
});
