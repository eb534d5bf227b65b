// Coverage and statements: whose yes a call had, and what is signed about it.

import { expect, test } from "vitest";
import { coverageOf, type Covered } from "../../../runtime/audit/coverage.ts";
import { openLog } from "../../../runtime/audit/kept-log.ts";
import { rowsIn } from "../../../runtime/audit/rows-in.ts";
import {
  approvedStatement,
  isStatement,
  openedStatement,
  signedStatement,
} from "../../../runtime/audit/statement.ts";
import { openedCheckpoint } from "../../../runtime/tlog/checkpoint.ts";
import { createHash } from "node:crypto";
import { signerOf } from "../../../runtime/tlog/note.ts";
import { AuditRows, SIGNER } from "../../support/tlog/audit-rows.ts";
import { MemoryLog } from "../../support/tlog/memory-log.ts";

const DAY = 86_400_000;
const call = (other: Partial<Covered>): Covered => ({
  sessionId: "s1",
  agentId: "main",
  createdAt: DAY,
  execution: "completed",
  ...other,
});
const by = (who: string): Partial<Covered> => ({ approval: { state: "approved", by: who } });

test("COVERAGE-1: each call that ran is counted once in each table, under one cause", () => {
  const calls = [
    call(by("local:ann")),
    call({ ...by("rule:r_1"), sessionId: "s2" }),
    call(by("policy:p1")),
    call({ ...by("model"), createdAt: 2 * DAY }),
    call({ permission: { decision: "accept" } }),
    call({ allowedBy: "client", execution: "failed" }),
    call({ execution: "processing" }),
    call({ execution: "queued" }),
    call({ execution: "denied", approval: { state: "denied", by: "local:ann" } }),
  ];
  const { all, tables } = coverageOf(calls);
  expect(all).toEqual({
    name: "all",
    ran: 7,
    person: 1,
    rule: 1,
    policy: 1,
    model: 1,
    client: 2,
    denied: 0,
    none: 1,
  });
  expect(tables.session.map(({ name, ran }) => [name, ran])).toEqual([
    ["s1", 6],
    ["s2", 1],
  ]);
  expect(tables.agent.map(({ name }) => name)).toEqual(["s1/main", "s2/main"]);
  expect(tables.day.map(({ name, ran }) => [name, ran])).toEqual([
    ["1970-01-02", 6],
    ["1970-01-03", 1],
  ]);
});

test("COVERAGE-2: a call that ran after its denial, or while nobody had answered, has no yes", () => {
  const denied = call({ execution: "denied", executedAfterDenial: true, permission: { decision: "accept" } });
  const pending = call({ approval: { state: "pending" } });
  const expired = call({ approval: { state: "expired", by: "local:ann" } });
  const { all } = coverageOf([denied, pending, expired]);
  expect([all.ran, all.denied, all.none, all.person, all.client]).toEqual([3, 1, 2, 0, 0]);
});

async function statement() {
  const [rows, files] = [new AuditRows(), new MemoryLog()];
  const inputHash = "ab".repeat(32);
  const who = ["local:ann", "rule:r_1", "policy:p", "model", "http:ben"];
  rows.add(5, (n) => ({ by: who[n - 1], inputHash }));
  rows.add(1, () => ({ decision: "deny", inputHash }));
  rows.add(1, () => ({ kind: "ignored-decision", inputHash }));
  await rows.log(files).catchUp();
  const log = openLog(files.kept(), SIGNER);
  return approvedStatement(log, [...rowsIn(log)].reverse(), { since: 0 });
}

test("STATEMENT-1: it names what people approved, and nothing that a rule, a policy or a model did, nor what did not count", async () => {
  const digest = { sha256: "ab".repeat(32) };
  expect(await statement()).toMatchObject({
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: "c1", digest },
      { name: "c5", digest },
    ],
    predicate: {
      approved: [
        { by: "local:ann", index: 1 },
        { by: "http:ben", index: 5 },
      ],
    },
  });
});

test("STATEMENT-2: it is signed as DSSE says, counts by the log's key alone, and is no checkpoint", async () => {
  const signed = signedStatement(await statement(), SIGNER);
  expect(isStatement(JSON.stringify(signed))).toBe(true);
  expect(openedStatement(signed, SIGNER)).toMatchObject({ predicateType: "urn:signalbox:approved-calls:v1" });
  const other = signerOf(createHash("sha256").update("other").digest(), () => SIGNER.name);
  expect(() => openedStatement(signed, other)).toThrow("was not signed with this key");
  const payload = Buffer.from(signed.payload, "base64");
  const said = `DSSEv1 28 application/vnd.in-toto+json ${payload.length} ${payload.toString()}`;
  expect(SIGNER.isSignature(said, Buffer.from(signed.signatures[0]?.sig ?? "", "base64"))).toBe(true);
  expect(() => openedCheckpoint(said, SIGNER)).toThrow();
});
