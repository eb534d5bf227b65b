// Invariants: turns
// What holds of journal entries: repeats, rejections, order, determinism, sessions side by side.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sessionAddress, type SessionId } from "../../../machines/index.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import type { Message } from "../../../runtime/message.ts";
import { countsIn } from "../../support/properties/counts.ts";
import { sessions } from "../../support/sessions/generate.ts";
import { holds } from "../../support/properties/property.ts";
import { type Session, story } from "../../support/sessions/script.ts";
import { SESSION, WORKSPACE } from "../../support/sessions/session-run.ts";
import { messagesOf, Turns } from "../../support/sessions/turns.ts";

const FILE = "test/runtime/turn/invariants.test.ts";
const home = sessionAddress(WORKSPACE, SESSION);
/** A session that was sent messages but does not exist has a tombstone for what is remembered of it (TOMBS-2). */
const isTombOfSession = (key: string): boolean => key.startsWith("tomb/") && key.endsWith("/session");
/**
 * The cursor and the clock move with every entry, and every message sent counts towards the quota, every
 * entry has its proof; messages that came
 * before or were rejected are remembered.
 */
const isBookkeeping = (key: string): boolean =>
  key === keys.meta ||
  key === keys.ledger(home) ||
  [keys.seenOf(home), keys.quotas, keys.proofs].some((all) => key.startsWith(all)) ||
  isTombOfSession(key);
const states = (turns: Turns) => unplaced(turns.texts((key) => !isBookkeeping(key)));
/** Without positions in the journal and the log, which move when more is said. */
const unplaced = (texts: ReadonlyMap<string, string>) =>
  new Map([...texts].map(([key, text]) => [key, text.replaceAll(/"(turn|position|newest)":\d+/g, "")]));

function played({ policy }: Session, messages: readonly Message[]): Turns {
  const turns = new Turns(policy);
  for (const [at, message] of messages.entries()) turns.apply(message, at);
  return turns;
}

describe("turns", () => {
  test("I-21: a message that comes again, any time later, changes nothing and publishes nothing", () => {
    const again = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 10 });
    const claim = ([session, repeats]: readonly [Session, readonly (readonly [number, number])[]]): void => {
      const messages = messagesOf(session);
      const turns = new Turns(session.policy);
      for (const [at, message] of messages.entries()) {
        turns.apply(message, at);
        for (const [after, which] of repeats) {
          const known = messages[which % (at + 1)];
          if (after % messages.length !== at || known?.door !== "in") continue;
          const before = states(turns);
          expect(turns.apply(known, at)).toMatchObject({ outcome: "duplicate", changes: [], answers: [] });
          expect(states(turns)).toEqual(before);
        }
      }
      expect(states(turns)).toEqual(states(played(session, messages)));
    };
    holds(FILE, 60, fc.tuple(sessions(30), again), claim, ([session]) => story(session));
  });

  test("I-22: any beginning of the history, repeated at its end, changes nothing", () => {
    const claim = ([session, cut]: readonly [Session, number]): void => {
      const messages = messagesOf(session);
      const turns = played(session, messages);
      const before = states(turns);
      const told = messages.slice(0, cut % (messages.length + 1)).filter(({ door }) => door === "in");
      for (const message of told) turns.apply(message, messages.length);
      expect(states(turns)).toEqual(before);
    };
    holds(FILE, 60, fc.tuple(sessions(30), fc.nat()), claim, ([session]) => story(session));
  });

  test("I-20: a rejected message leaves every row as it was, and one record of why", () => {
    let rejected = 0;
    const claim = (session: Session): void => {
      const turns = new Turns(session.policy);
      for (const [at, message] of messagesOf(session).entries()) {
        const [before, ledger] = [states(turns), turns.texts().get(keys.ledger(home))];
        const { outcome, reason, defect } = turns.apply(message, at);
        expect(defect).toBeUndefined();
        if (outcome !== "rejected") continue;
        rejected += 1;
        expect(states(turns)).toEqual(before);
        const now = countOf(turns.texts().get(keys.ledger(home)));
        expect([now, reason]).toEqual([countOf(ledger) + 1, expect.any(String)]);
      }
    };
    holds(FILE, 60, sessions(30), claim, story);
    expect(rejected).toBeGreaterThan(10);
  });

  test("I-29: the versions of a session are 1, 2, 3, … without a gap; each part of a turn says which it is", () => {
    const claim = (session: Session): void => {
      const { results } = played(session, messagesOf(session));
      const changes = results.flatMap(({ changes: own }) => own);
      expect(changes.map(({ version }) => version)).toEqual(changes.map((_, index) => index + 1));
      for (const { position, changes: own } of results) {
        expect(own.map(({ turn, part, parts }) => [turn, part, parts])).toEqual(
          own.map((_, index) => [position, index + 1, own.length]),
        );
      }
    };
    holds(FILE, 60, sessions(40), claim, story);
  });

  test("I-12: a denial and all denials that follow from it are parts of one turn, and its change lists them", () => {
    let seen = 0;
    const claim = (session: Session): void => {
      for (const { changes } of played(session, messagesOf(session)).results) {
        for (const { entity, id, to, cascade = [] } of changes) {
          if (entity !== "toolcall" || to !== "denied") continue;
          const followers = changes.filter(
            (change) => (change.cause as { callId?: string } | undefined)?.callId === id,
          );
          expect(cascade).toEqual(
            followers.filter((change) => change.to === "denied").map((change) => change.id),
          );
          seen += followers.length;
        }
      }
    };
    holds(FILE, 400, sessions(40), claim, story);
    expect(seen).toBeGreaterThan(5);
  });

  test("LISTING-2: after any history the count of each state equals the number of rows in its list", () => {
    const claim = (session: Session): void => {
      const { listed, counted } = countsIn(played(session, messagesOf(session)).texts());
      expect(counted).toEqual(listed);
    };
    holds(FILE, 100, sessions(60), claim, story);
  });

  test("I-34: the timer index has one row for each deadline that is set, and no other", () => {
    let seen = 0;
    const claim = (session: Session): void => {
      const turns = new Turns(session.policy);
      for (const [at, message] of messagesOf(session).entries()) {
        turns.apply(message, at);
        const rows = (prefix: string): readonly AlarmText[] =>
          [...turns.texts((key) => key.startsWith(prefix))].map(([key, text]) => [key, JSON.parse(text)]);
        const set = rows("alarm/").filter(([, { set: isSet }]) => isSet);
        const due = set.map(([key, { at: dueAt, generation }]) => [key.slice(6), dueAt, generation]);
        const indexed = rows(keys.timers).map(([, { address, timer, at: dueAt, generation }]) => [
          `${address}/${timer}`,
          dueAt,
          generation,
        ]);
        expect(indexed.sort()).toEqual(due.sort());
        seen += due.length;
      }
    };
    holds(FILE, 100, sessions(30), claim, story);
    expect(seen).toBeGreaterThan(1_000);
  });

  test("I-36, G10: the same journal gives the same bytes, in rows and changes alike", () => {
    const claim = (session: Session): void => {
      const messages = messagesOf(session);
      const [one, two] = [played(session, messages), played(session, messages)];
      expect(two.texts()).toEqual(one.texts());
      expect(JSON.stringify(two.results)).toBe(JSON.stringify(one.results));
    };
    holds(FILE, 60, sessions(40), claim, story);
  });

  test("I-26: a session that is unloaded and read back after any turn goes on as if it had stayed in memory", () => {
    const claim = ([session, every]: readonly [Session, number]): void => {
      const messages = messagesOf(session);
      const turns = new Turns(session.policy);
      for (const [at, message] of messages.entries()) {
        turns.apply(message, at);
        if (at % every === 0) turns.passivate();
      }
      const stayed = played(session, messages);
      expect(turns.texts()).toEqual(stayed.texts());
      expect(JSON.stringify(turns.results)).toBe(JSON.stringify(stayed.results));
    };
    holds(FILE, 60, fc.tuple(sessions(40), fc.integer({ min: 1, max: 5 })), claim, ([session]) =>
      story(session),
    );
  });

  test("I-38: what happens in one session never changes a byte of another", () => {
    const OTHER = "s2" as SessionId;
    // Request ids and a sender's approval ids share one namespace (R3): the other session uses its own.
    const renamed = (message: Message): Message =>
      JSON.parse(JSON.stringify(message).replaceAll(/"([prg])(\d+)"/g, '"other-$1$2"')) as Message;
    const ofFirst = (key: string): boolean =>
      key.includes(home) && !key.startsWith(keys.changes) && !key.startsWith("seen/");
    const rows = (turns: Turns) => unplaced(turns.texts(ofFirst));
    const claim = ([first, second, pattern]: readonly [Session, Session, readonly boolean[]]): void => {
      const own = messagesOf(first);
      const others = messagesOf(second, OTHER).map(renamed);
      const turns = new Turns(first.policy);
      const alone = new Turns(first.policy);
      for (const [at, message] of own.entries()) {
        const other = pattern[at % pattern.length] ? others.shift() : undefined;
        if (other) turns.apply(other, at);
        turns.apply(message, at);
        alone.apply(message, at);
      }
      expect(rows(turns)).toEqual(rows(alone));
    };
    const pair = fc.tuple(sessions(25), sessions(25), fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }));
    holds(FILE, 60, pair, claim, ([session]) => story(session));
  });
});

/** The compared fields of an `alarm/` row or a `timer/` row. */
type AlarmText = readonly [
  key: string,
  row: {
    readonly address: string;
    readonly timer: string;
    readonly at: number;
    readonly generation: number;
    readonly set?: boolean;
  },
];

const countOf = (ledger: string | undefined): number =>
  ledger === undefined ? 0 : (JSON.parse(ledger) as { readonly rejected: number }).rejected;
