// Fence
// A nats-server with the shipped accounts, those of a second workspace beside them, and an engine in its own.
//
//   Owns:          filling in passwords, the second workspace, a connection for each user; what has happened in
//                  engine and streams.
//   Does not own:  the accounts (ops/nats), what is tried and expected.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "nats";
import { event } from "../http/served.ts";
import { following } from "./following.ts";
import { operator, until } from "./on-nats.ts";
import { natsServer } from "./server.ts";

const OPS = join(import.meta.dirname, "..", "..", "..", "ops", "nats");

/** The users of both workspaces; each password is the user's name. */
export const USERS = ["chat-bot", "reader", "alice", "bank-bot", "bank-reader", "bank-alice"] as const;
export type User = (typeof USERS)[number];

/** As the shipped README says a workspace is added. */
function withBank(accounts: string): string {
  const [, chat = ""] = /(# ---- The workspace chat[^]*?)# ---- The end/.exec(accounts) ?? [];
  const bank = chat
    .replaceAll("chat", "bank")
    .replaceAll("CHAT", "BANK")
    .replace(/user: (reader|alice)/g, "user: bank-$1");
  return accounts.replace("# ---- The end", () => `${bank}# ---- The end`);
}

const withPasswords = (text: string): string =>
  text.replace(/user: ([a-z-]+), password: \$[A-Z_]+/g, "user: $1, password: $1");

/** Variants of the shipped accounts. */
export const AS = {
  shipped: (text: string): string => text,
  /** Without the users' permissions within their accounts. */
  accountsAlone: (text: string): string => text.replace(/, permissions: \{[^}]*\}/g, ""),
  /** The same users and permissions, without accounts. */
  permissionsAlone: (text: string): string =>
    `authorization { users = [\n${[...text.matchAll(/\{ user: [^{}]*(\{[^}]*\} )?\}/g)].map(([user]) => user).join("\n")}\n] }`,
} as const;

/** The position of streams and engine. */
interface Standing {
  readonly journal: number;
  readonly changes: number;
  readonly letters: number;
  readonly deads: number;
  /** What is missing at the start of a stream or within it. */
  readonly missing: number;
}

/** The effect of an action: new messages in each stream, new dead letters, messages lost. */
export type Harm = Standing;
export const NONE: Harm = { journal: 0, changes: 0, letters: 0, deads: 0, missing: 0 };

let count = 0;
export const fresh = (): string => `n${(count += 1)}`;

/** A session that starts: one message, one change. */
export function start(workspace: string) {
  const session = fresh();
  const body = JSON.stringify(event("session.started", {}, { subject: `${workspace}/${session}` }));
  return { subject: `signalbox.v1.in.${workspace}.${session}.session.started`, body };
}
export const ONE: Harm = { ...NONE, journal: 1, changes: 1 };

/** Subjects where an answer, an acknowledgement or a delivery would do harm. */
export const TARGETS = [
  "$JS.API.STREAM.PURGE.SIGNALBOX_IN",
  "$JS.API.STREAM.PURGE.SIGNALBOX_STATE",
  "$JS.API.STREAM.DELETE.SIGNALBOX_DLQ",
  "$JS.API.STREAM.MSG.DELETE.SIGNALBOX_IN",
  "$JS.API.STREAM.UPDATE.SIGNALBOX_IN",
  "$JS.ACK.SIGNALBOX_IN.some.1.1.1.1.1",
  "$SYS.REQ.SERVER.PING",
  "$SRV.PING",
  "_R_.abcdef",
  "_INBOX.another",
  "signalbox.v1.in.bank.b1.tool.started",
  "signalbox.v1.own.chat.s1.decision",
  "signalbox.v1.own.bank.s1.decision",
  "signalbox.v1.state.chat.s1.session.s1.ended",
  "signalbox.v1.state.bank.b1.session.b1.ended",
  "signalbox.v1.decide.chat.bob",
  "signalbox.v1.decide.bank.alice",
  "signalbox.v1.ask.bank.session.list",
  "signalbox.v1.query.stats",
  "signalbox.v1.dlq.poison",
  "signalbox.v1.notice.recovered",
] as const;

export async function fenced(made: (accounts: string) => string = AS.shipped) {
  const dir = mkdtempSync(join(tmpdir(), "signalbox-fence-"));
  const shipped = withPasswords(withBank(readFileSync(join(OPS, "accounts.conf"), "utf8")));
  writeFileSync(join(dir, "accounts.conf"), made(shipped));
  // The server's store is the test's.
  const config = readFileSync(join(OPS, "nats.conf"), "utf8").replace(/^jetstream .*$/m, "");
  writeFileSync(join(dir, "nats.conf"), config);
  const server = await natsServer(["-c", join(dir, "nats.conf")]);
  const urlOf = (user: string): string => server.url.replace("//", `//${user}:${user}@`);
  const at = await following(urlOf("engine"));
  const root = await operator(urlOf("engine"));
  /** For the simplest client. */
  const plain = (user: User): Promise<NatsConnection> =>
    connect({ servers: server.url, user, pass: user, noAsyncTraces: true });
  const open = new Map(await Promise.all(USERS.map(async (user) => [user, await plain(user)] as const)));
  let marks = 0;

  const infoOf = async (name: string) => (await root.manager.streams.info(name)).state;
  const standing = async (): Promise<Standing> => {
    const names = ["SIGNALBOX_IN", "SIGNALBOX_STATE", "SIGNALBOX_DLQ"];
    const [journal, changes, letters] = await Promise.all(names.map(infoOf));
    const all = [journal, changes, letters];
    return {
      journal: journal?.last_seq ?? -1,
      changes: changes?.last_seq ?? -1,
      letters: letters?.last_seq ?? -1,
      deads: at.engine().meta().deads,
      missing: all.reduce((sum, state) => sum + (state ? state.last_seq - state.messages : 0), 0),
    };
  };

  /** A message that makes one change; once that is there, everything sent before has been handled. */
  const mark = async (): Promise<void> => {
    marks += 1;
    const type = marks % 2 === 1 ? "session.started" : "session.ended";
    const body = JSON.stringify({ ...event(type, {}, { subject: "marks/m" }), id: `mark-${marks}` });
    const { seq } = await root.stream.publish(`signalbox.v1.in.marks.m.${type}`, body);
    await until("the mark is applied and told", () => {
      const { outlet } = at.engine().lag();
      return at.engine().meta().position >= seq && outlet === 0;
    });
    // Letters leave in a line of their own.
    const { deads } = at.engine().meta();
    await until("the letters have left", async () => (await infoOf("SIGNALBOX_DLQ")).last_seq >= deads);
  };

  const by = (user: User): NatsConnection => {
    const connection = open.get(user);
    if (!connection) throw new Error(`${user} is not connected.`);
    return connection;
  };

  /** The answer to somebody. Another query was answered after it, so waiting longer is useless. */
  async function answersTo(user: User, subject: string, body = ""): Promise<readonly string[]> {
    const inbox = `_INBOX.${fresh()}`;
    const heard: string[] = [];
    const subscription = by(user).subscribe(inbox, {
      // An empty answer is the server saying that nobody is there.
      callback: (error, message) => {
        if (!error && message.data.length > 0) heard.push(message.string());
      },
    });
    by(user).publish(subject, body, { reply: inbox });
    await by(user).flush();
    await root.connection.request("signalbox.v1.query.stats", "", { timeout: 20_000 });
    await by(user).flush();
    subscription.unsubscribe();
    return heard;
  }

  return {
    server,
    at,
    root,
    urlOf,
    by,
    answersTo,
    /** Does something, waits until all its effects are there, and reports them. */
    async harmOf(act: () => Promise<unknown>): Promise<Harm> {
      await mark();
      const before = await standing();
      await act();
      await mark();
      const after = await standing();
      return {
        journal: after.journal - before.journal - 1,
        changes: after.changes - before.changes - 1,
        letters: after.letters - before.letters,
        deads: after.deads - before.deads,
        missing: after.missing - before.missing,
      };
    },
    async dispose(): Promise<void> {
      await Promise.all([...open.values()].map((connection) => connection.close()));
      await root.close();
      await at.end();
      await server.dispose();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
export type Fenced = Awaited<ReturnType<typeof fenced>>;
