// Others remove messages from the stream in every possible way. The engine names the positions that are gone, at its
// start and while it runs; when told to, it goes on without them and approves nothing that was asked before.

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Reply } from "../../../../runtime/turn/turn-result.ts";
import type { ApprovalId, SessionId, WorkspaceId } from "../../../../machines/index.ts";
import type { JournalRegressed } from "../../../../runtime/errors/errors.ts";
import type { Missing } from "../../../../runtime/ports.ts";
import { Queries } from "../../../../runtime/reading/queries.ts";
import { textAt } from "../../../support/engine/json.ts";
import { type NatsAccounts, natsAccounts } from "../../../support/nats/accounts.ts";
import { engineOnNats, messageOf, type OnNats, operator, until } from "../../../support/nats/on-nats.ts";
import { wedge, type Wedge } from "../../../support/nats/wedge.ts";
import { call, said } from "../../../support/sessions/said.ts";

const JOURNAL = "SIGNALBOX_IN";
const SUBJECT = "signalbox.v1.in.w.s2.request.created";
const UNREAD = 6;

type Operator = Awaited<ReturnType<typeof operator>>;

/** What is done to the streams, given the cursor's position. */
type Cut = (other: Operator, cursor: number) => Promise<unknown>;
interface Row {
  readonly cut: Cut;
  /** As distances from the cursor; empty when nothing shows what is gone. Absent when nothing that matters is gone. */
  readonly gone?: readonly (readonly [number, number])[];
  /** What the error says beside the code. */
  readonly says?: RegExp;
  /** Which requests are created afterwards: some of the six that were not read, or others. */
  readonly left: readonly string[];
}

const all = ["n1", "n2", "n3", "n4", "n5", "n6"];
const purge = (other: Operator, seq?: number) =>
  seq === undefined ? other.manager.streams.purge(JOURNAL) : other.manager.streams.purge(JOURNAL, { seq });
const remove = (other: Operator, seq: number) => other.manager.streams.deleteMessage(JOURNAL, seq);

async function remade(other: Operator): Promise<void> {
  const { config } = await other.manager.streams.info(JOURNAL);
  await other.manager.streams.delete(JOURNAL);
  await other.manager.streams.add(config);
}
const publish = (other: Operator, id: string) =>
  other.stream.publish(
    SUBJECT,
    JSON.stringify({ specversion: "1.0", id, source: "/gateway", data: { requestId: id } }),
  );

const ROWS: Readonly<Record<string, Row>> = {
  "purged whole": { cut: (other) => purge(other), gone: [[1, 6]], left: [] },
  "purged to behind the cursor": { cut: (other, at) => purge(other, at - 1), left: all },
  "purged to the cursor, which stays": { cut: (other, at) => purge(other, at), left: all },
  "purged to the cursor, which goes": {
    cut: (other, at) => purge(other, at + 1),
    gone: [],
    says: /The journal lacks entry \d+, the last one that the store has read/,
    left: all,
  },
  "purged to ahead of the cursor": {
    cut: (other, at) => purge(other, at + 3),
    gone: [[1, 2]],
    left: ["n3", "n4", "n5", "n6"],
  },
  "one message behind the cursor deleted": { cut: (other, at) => remove(other, at - 1), left: all },
  "the message at the cursor deleted": {
    cut: (other, at) => remove(other, at),
    gone: [],
    says: /The journal lacks entry \d+, the last one that the store has read/,
    left: all,
  },
  "one message ahead of the cursor deleted": {
    cut: (other, at) => remove(other, at + 2),
    gone: [[2, 2]],
    left: ["n1", "n3", "n4", "n5", "n6"],
  },
  "the next message deleted": {
    cut: (other, at) => remove(other, at + 1),
    gone: [[1, 1]],
    left: ["n2", "n3", "n4", "n5", "n6"],
  },
  "the last message deleted": {
    cut: (other, at) => remove(other, at + UNREAD),
    gone: [[6, 6]],
    left: ["n1", "n2", "n3", "n4", "n5"],
  },
  "several messages deleted": {
    cut: async (other, at) => {
      for (const n of [1, 3, 4]) await remove(other, at + n);
    },
    gone: [[1, 1], [3, 4]], // prettier-ignore
    left: ["n2", "n5", "n6"],
  },
  deleted: {
    cut: (other) => other.manager.streams.delete(JOURNAL),
    gone: [],
    says: /the cursor is from|the server has no stream/,
    left: [],
  },
  "deleted and made again, empty": { cut: remade, gone: [], says: /the cursor is from/, left: [] },
  "deleted and made again, with other messages": {
    cut: async (other) => {
      await remade(other);
      for (const id of ["x1", "x2", "x3"]) await publish(other, id);
    },
    gone: [],
    says: /the cursor is from/,
    left: ["x1", "x2", "x3"],
  },
  "the stream of changes purged": {
    cut: (other) => other.manager.streams.purge("SIGNALBOX_STATE"),
    left: all,
  },
};

let accounts: NatsAccounts;
let proxy: Wedge;
let url: string;
let other: Operator;
let running: OnNats[] = [];

beforeAll(async () => {
  accounts = await natsAccounts(2 * Object.keys(ROWS).length);
});
afterAll(() => accounts.dispose());
beforeEach(async () => {
  const direct = accounts.next();
  const { username, password, port } = new URL(direct);
  proxy = await wedge({ port: Number(port) });
  url = proxy.url.replace("//", `//${username}:${password}@`);
  other = await operator(direct);
});
afterEach(async () => {
  for (const each of running.splice(0)) await each.stop();
  await other.close();
  await proxy.close();
});

async function start(options: Partial<Parameters<typeof engineOnNats>[0]> = {}): Promise<OnNats> {
  const started = await engineOnNats({ url, ...options });
  running.push(started);
  return started;
}

async function stop(each: OnNats): Promise<void> {
  running = running.filter((one) => one !== each);
  await each.stop();
}

/** An engine that was asked for two approvals and has read everything. */
async function asked(): Promise<OnNats> {
  const on = await start();
  const words = [
    [said.prompt("p1")],
    [said.pre(call("c1")), said.ask("a1", call("c1"))],
    [said.pre(call("c2")), said.ask("a2", call("c2"))],
  ];
  for (const [n, inputs] of words.entries())
    await (
      await on.engine.submit(messageOf("s1", `q${n}`, ...inputs))
    ).settled;
  await until("everything has left", () => on.engine.lag().outlet === 0);
  return on;
}

function decide({ engine }: OnNats, id: string, decision: "approve" | "deny"): Promise<Reply> {
  const inputHash = textAt(new Queries(engine).getApproval(id), "inputHash") ?? "";
  const word = { type: "decision", approvalId: id as ApprovalId, decision, by: "ann", inputHash } as const;
  return engine.own("w" as WorkspaceId, "s1" as SessionId, word);
}

const requestsIn = ({ changes }: OnNats): readonly string[] =>
  changes.filter(({ entity, from }) => entity === "request" && from === null).map(({ id }) => id);

const missingIn = ({ gone = [] }: Row, cursor: number): readonly Missing[] =>
  gone.map(([first, last]) => ({ first: cursor + first, last: cursor + last }));

function checkError(error: unknown, row: Row, cursor: number): void {
  const { code, message, next, missing } = error as JournalRegressed;
  expect([code, missing]).toEqual(["JOURNAL_REGRESSED", missingIn(row, cursor)]);
  expect(message).toMatch(row.says ?? /lacks entries that the store has not read/);
  for (const { first, last } of missing)
    expect(message).toContain(first === last ? `${first}` : `${first}–${last}`);
  expect(next).toContain("signalbox up --adopt-journal");
}

/** Ordinary work, from start to end. */
async function works(on: OnNats): Promise<void> {
  const words = [[said.prompt("p9")], [said.pre(call("c9")), said.ask("a9", call("c9"))]];
  for (const [n, inputs] of words.entries())
    expect(await (await on.engine.submit(messageOf("s1", `w${n}`, ...inputs))).settled).toMatchObject({
      outcome: "applied",
    });
  expect(await decide(on, "a9", "approve")).toMatchObject({ outcome: "applied" });
  await until("everything has left", () => on.engine.lag().outlet === 0);
  const left = (await other.all("SIGNALBOX_STATE")).map(({ subject }) => subject);
  expect(left).toContain("signalbox.v1.state.w.s1.approval.a9.approved");
}

/** Goes on without the missing messages, and says so. */
async function goesOn(row: Row, cursor: number, disk: OnNats["disk"]): Promise<void> {
  const on = await start({ disk, adoptJournal: true });
  const missing = missingIn(row, cursor);
  const count = missing.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  expect(on.engine.recovered?.lost).toMatchObject({ count, missing });
  expect(requestsIn(on)).toEqual(row.left);
  const letters = async () => (await other.all("SIGNALBOX_DLQ")).map(({ subject }) => subject);
  await until("its letter is there", async () => (await letters()).length > 0);
  expect(await letters()).toEqual(["signalbox.v1.dlq.journal-gap"]);
  expect(await decide(on, "a1", "approve")).toMatchObject({ outcome: "rejected" });
  expect(await decide(on, "a2", "deny")).toMatchObject({ outcome: "applied" });
  const { changes } = on;
  expect(changes.filter(({ to }) => to === "approved")).toEqual([]);
  await works(on);
  // A later start does not report the same loss again.
  await stop(on);
  const again = await start({ disk });
  expect(again.engine.recovered?.lost).toBeUndefined();
  expect(again.fatals).toEqual([]);
}

/** No unread message is gone. */
async function isWhole(row: Row, on: OnNats): Promise<void> {
  await until("all is read", () => requestsIn(on).filter((id) => id.startsWith("n")).length === UNREAD);
  expect(requestsIn(on).filter((id) => id !== "p1")).toEqual(row.left);
  expect(on.engine.recovered?.lost).toBeUndefined();
  expect(await decide(on, "a1", "approve")).toMatchObject({ outcome: "applied" });
  await works(on);
  expect(on.fatals).toEqual([]);
}

async function unread(): Promise<void> {
  for (const id of all) await publish(other, id);
}

describe.each(Object.entries(ROWS))("G19: a journal %s", (_, row) => {
  test("G19: is named when the engine starts; the engine goes on once told to", async () => {
    const before = await asked();
    const { position: cursor } = before.engine.meta();
    await stop(before);
    await unread();
    await row.cut(other, cursor);
    if (!row.gone) {
      await isWhole(row, await start({ disk: before.disk }));
      return;
    }
    const refusal = await start({ disk: before.disk }).then(
      () => undefined,
      (error: unknown) => error,
    );
    checkError(refusal, row, cursor);
    await goesOn(row, cursor, before.disk);
  });

  test("G19: is named while the engine runs; the engine goes on once told to", async () => {
    const on = await asked();
    const { position: cursor } = on.engine.meta();
    proxy.set("cut");
    await until("the connection is lost", () => on.engine.troubles().length > 0);
    await unread();
    await row.cut(other, cursor);
    proxy.set("no");
    if (!row.gone) {
      await isWhole(row, on);
      return;
    }
    await until("the engine stops", () => on.fatals.length > 0);
    checkError(on.fatals[0], row, cursor);
    expect(on.engine.meta().position).toBe(cursor);
    await stop(on);
    await goesOn(row, cursor, on.disk);
  });
});
