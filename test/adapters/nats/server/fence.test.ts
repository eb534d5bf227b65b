// Fence
// The shipped accounts on a real server: what each user may do works; what it may not do has no effect, whatever it
// tries.
// All of this holds without the permissions within the accounts, too: the accounts are the fence.

import { setTimeout as sleep } from "node:timers/promises";
import type { NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AS,
  fenced,
  type Fenced,
  fresh,
  NONE,
  ONE,
  start,
  TARGETS,
  type User,
  USERS,
} from "../../../support/nats/fence.ts";
import { textAt } from "../../../support/engine/json.ts";
import { event } from "../../../support/http/served.ts";

const WORKSPACES = ["chat", "bank"] as const;
const ROLES: Readonly<Record<User, readonly [workspace: string, role: "bot" | "reader" | "approver"]>> = {
  "chat-bot": ["chat", "bot"],
  reader: ["chat", "reader"],
  alice: ["chat", "approver"],
  "bank-bot": ["bank", "bot"],
  "bank-reader": ["bank", "reader"],
  "bank-alice": ["bank", "approver"],
};
const mayIn = (user: User, workspace: string): boolean => ROLES[user][0] === workspace;
const isA = (user: User, role: string): boolean => ROLES[user][1] === role;

const everyUser = (): readonly (readonly [User, string])[] =>
  USERS.flatMap((user) => WORKSPACES.map((workspace) => [user, workspace] as const));

/** What only the engine and its operator may do, with everything it needs to succeed. */
const API: readonly (readonly [subject: string, body: string])[] = [
  ...TARGETS.map((subject) => [subject, "{}"] as const),
  ["$JS.API.INFO", ""],
  ["$JS.API.STREAM.NAMES", ""],
  ["$JS.API.STREAM.INFO.SIGNALBOX_STATE", '{"subjects_filter":">"}'],
  ["$JS.API.STREAM.MSG.GET.SIGNALBOX_IN", '{"seq":1}'],
  ["$JS.API.STREAM.MSG.DELETE.SIGNALBOX_IN", '{"seq":1}'],
  ["$JS.API.STREAM.CREATE.SIGNALBOX_COPY", '{"name":"SIGNALBOX_COPY","subjects":["signalbox.v1.in.>"]}'],
  ["$JS.API.STREAM.SNAPSHOT.SIGNALBOX_IN", '{"deliver_subject":"_INBOX.copy"}'],
  ["$JS.API.DIRECT.GET.SIGNALBOX_STATE", '{"seq":1}'],
  ["$JS.API.DIRECT.GET.SIGNALBOX_STATE.signalbox.v1.state.bank.>", ""],
  [
    "$JS.API.CONSUMER.CREATE.SIGNALBOX_STATE",
    '{"stream_name":"SIGNALBOX_STATE","config":{"deliver_subject":"signalbox.v1.in.bank.b1.tool.started"}}',
  ],
  ["$JS.API.CONSUMER.MSG.NEXT.SIGNALBOX_STATE.some", '{"batch":1}'],
  ["$JS.API.CONSUMER.LIST.SIGNALBOX_STATE", ""],
  ["$SYS.REQ.ACCOUNT.SIGNALBOX.CONNZ", ""],
  ["$SYS.REQ.ACCOUNT.PING.CONNZ", '{"auth":true,"subscriptions":true}'],
];

describe.each([
  ["as shipped", AS.shipped],
  ["by its accounts alone", AS.accountsAlone],
] as const)("fence, %s", (_, made) => {
  let fence: Fenced;
  const by = (user: User): NatsConnection => fence.by(user);
  const answersTo: Fenced["answersTo"] = (...asked) => fence.answersTo(...asked);
  beforeAll(async () => {
    fence = await fenced(made);
    // Data to learn about, and data to lose.
    for (const workspace of WORKSPACES) await fence.at.say(`${workspace}-session`, 2, workspace);
    await fence.root.stream.publish("signalbox.v1.in.bank.b1.tool.started", "junk");
  });
  afterAll(() => fence.dispose());

  async function pending(workspace: string): Promise<string> {
    const [approvalId, session] = [fresh(), fresh()];
    const data = { tool: "Pay", approvalId, requestId: fresh(), input: { amount: 1 } };
    const body = JSON.stringify(event("approval.requested", data, { subject: `${workspace}/${session}` }));
    await fence.root.stream.publish(`signalbox.v1.in.${workspace}.${session}.approval.requested`, body);
    while ((await stateOf(workspace, approvalId)) === undefined) await sleep(10);
    return approvalId;
  }
  async function stateOf(workspace: string, id: string): Promise<string | undefined> {
    const subject = `signalbox.v1.ask.${workspace}.approval.get`;
    const { connection } = fence.root;
    const told = await connection.request(subject, JSON.stringify({ id }), { timeout: 20_000 });
    return textAt(told.json(), "state");
  }

  it.each(everyUser())("G11: %s publishes in %s only if its role allows it", async (user, workspace) => {
    const { subject, body } = start(workspace);
    const harm = await fence.harmOf(async () => {
      by(user).publish(subject, body);
      await by(user).flush();
    });
    expect(harm).toEqual(isA(user, "bot") && mayIn(user, workspace) ? ONE : NONE);
  });

  it.each(everyUser())("G11: %s gets answers about %s only if it belongs there", async (user, workspace) => {
    const answers = await answersTo(
      user,
      `signalbox.v1.ask.${workspace}.session.get`,
      '{"id":"chat-session"}',
    );
    const found = workspace === "chat" ? '"id":"chat-session"' : "NOT_FOUND";
    expect(answers).toEqual(mayIn(user, workspace) ? [expect.stringContaining(found)] : []);
  });

  it.each(
    everyUser().flatMap(([user, workspace]) =>
      ["alice", "bob"].map((name) => [user, workspace, name] as const),
    ),
  )("G11: %s decides in %s as %s only where that is its name", async (user, workspace, name) => {
    const approvalId = await pending(workspace);
    const decision = JSON.stringify({ approvalId, decision: "deny" });
    const may = isA(user, "approver") && mayIn(user, workspace) && name === "alice";
    const harm = await fence.harmOf(() =>
      answersTo(user, `signalbox.v1.decide.${workspace}.${name}`, decision),
    );
    expect(await stateOf(workspace, approvalId)).toBe(may ? "denied" : "pending");
    expect(harm.journal).toBe(may ? 1 : 0);
  });

  it.each(everyUser())("G11: %s hears of %s only if it belongs there", async (user, workspace) => {
    const heard: string[] = [];
    const listening = by(user).subscribe(`signalbox.v1.state.${workspace}.>`, {
      callback: (error, message) => {
        if (!error) heard.push(message.subject);
      },
    });
    await by(user).flush();
    const session = fresh();
    await fence.harmOf(() => fence.at.say(session, 1, workspace));
    await by(user).flush();
    listening.unsubscribe();
    const subject = `signalbox.v1.state.${workspace}.${session}.session.${session}.idle`;
    expect(heard).toEqual(mayIn(user, workspace) ? [subject] : []);
  });

  it.each(["chat-bot", "reader", "alice"] as const)(
    "G11: %s hears nothing of others, whatever it listens to",
    async (user) => {
      const heard: string[] = [];
      const subjects = ["in.>", "own.>", "ask.>", "query.>", "decide.>", "dlq.>", "notice.>", "state.>", ">"];
      const all = [
        ...subjects.map((each) => `signalbox.v1.${each}`),
        "_R_.>",
        "_INBOX.>",
        "$JS.>",
        "$SYS.>",
        "$SRV.>",
        ">",
      ];
      const listening = all.map((subject) =>
        by(user).subscribe(subject, {
          callback: (error, message) => {
            if (!error) heard.push(`${message.subject} ${message.string()}`);
          },
        }),
      );
      await by(user).flush();
      await fence.harmOf(async () => {
        const { subject, body } = start("bank");
        await by("bank-bot").jetstream().publish(subject, body);
        await answersTo("bank-reader", "signalbox.v1.ask.bank.session.list");
        await answersTo(
          "bank-alice",
          "signalbox.v1.decide.bank.alice",
          '{"approvalId":"a","decision":"deny"}',
        );
      });
      await by(user).flush();
      for (const each of listening) each.unsubscribe();
      expect(heard).toEqual([]);
    },
  );

  it.each(USERS.flatMap((user) => API.map(([subject, body]) => [user, subject, body] as const)))(
    "G11: %s on %s does nothing and learns nothing",
    async (user, subject, body) => {
      let answers: readonly string[] = [];
      const harm = await fence.harmOf(async () => (answers = await answersTo(user, subject, body)));
      // A user that may query or publish elsewhere may do so; this test is about others' workspaces.
      const isItsOwn = subject.includes(`.${ROLES[user][0]}.`) && !/\.(own|state)\./.test(subject);
      if (!isItsOwn) expect(harm).toEqual(NONE);
      const of = ROLES[user][0] === "chat" ? /bank|SIGNALBOX_|engine/ : /chat|SIGNALBOX_|engine/;
      if (!isItsOwn) expect(answers.filter((answer) => of.test(answer))).toEqual([]);
    },
  );
});
