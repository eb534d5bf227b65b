// Tables
// Every table of the store: whose each of its rows is, and how a verification checks it.
//
//   Owns:          one line for each table.
//   Does not own:  the keys (rows/keys), comparing (verify/rows).
//
// VERIFY-TABLES-1. Every table has its line: a row under a key of no table is named as one that nothing can have
//     written.
// VERIFY-TABLES-2. What no entry of the journal says is checked for its shape and its bounds, and told as not compared.

import { type BuildRow } from "../turn/proof.ts";
import { messageIn } from "../message.ts";
import { keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";

/** `<workspace>/<session>` */
export type Home = string;

/** What tells whose a row is, beside the row. */
export interface Whose {
  /** Whom the entry at a position was about. */
  readonly homeAt: (position: number) => Home | undefined;
  /** The other rows, parsed. */
  readonly row: (key: string) => unknown;
}

interface OfSession {
  readonly kind: "session";
  /** @param rest the key behind the table's name. @param row parsed. */
  readonly home: (rest: string, row: unknown, whose: Whose) => Home | undefined;
  /** Rows of it go with age, one piece at a time. */
  readonly isLog?: true;
  /** Fields that depend on the start that made the row. */
  readonly ofStart?: readonly string[];
}

/** What one row depends on many sessions for. */
interface OfStore {
  readonly kind: "store";
}

/** What starts and outlets leave, of which the journal says nothing. */
interface OfStart {
  readonly kind: "start";
  /** @returns the fault. */
  readonly flaw: (rest: string, row: unknown, meta: Meta | undefined) => string | undefined;
}

export type Table = OfSession | OfStore | OfStart;

const STORE: Table = { kind: "store" };

/** Part `n` of a key and the one behind it. */
const partsFrom =
  (n: number): OfSession["home"] =>
  (rest) => {
    const parts = rest.split("/").slice(n, n + 2);
    return parts.length === 2 ? parts.join("/") : undefined;
  };

/** The row is the address of an actor. */
const ofAddress: OfSession["home"] = (_rest, row) =>
  typeof row === "string" ? row.split("/").slice(0, 2).join("/") : undefined;

const ofPlace: OfSession["home"] = (_rest, row, { homeAt }) => {
  const { position } = fieldsOf(row);
  return typeof position === "number" ? homeAt(position) : undefined;
};

const ofNames: OfSession["home"] = (_rest, row) => {
  const { workspace, sessionId } = fieldsOf(row);
  return typeof workspace === "string" && typeof sessionId === "string"
    ? `${workspace}/${sessionId}`
    : undefined;
};

const ofBody: OfSession["home"] = (_rest, row) => {
  const message = typeof row === "string" ? messageIn(row) : undefined;
  return message && `${message.workspace}/${message.session}`;
};

const ofReply: OfSession["home"] = (_rest, row, whose) => {
  const { replied } = fieldsOf(row);
  return typeof replied === "string" ? ofPlace("", whose.row(keys.reply(replied)), whose) : undefined;
};

export const fieldsOf = (row: unknown): Readonly<Record<string, unknown>> =>
  typeof row === "object" && row !== null ? (row as Record<string, unknown>) : {};

const session = (home: OfSession["home"], more: Pick<OfSession, "isLog" | "ofStart"> = {}): OfSession => ({
  kind: "session",
  home,
  ...more,
});

const isCount = (value: unknown, max: number): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;

/** How far a log has left. */
const floor = (of: "changes" | "deads"): OfStart => ({
  kind: "start",
  flaw: (_rest, row, meta) =>
    isCount(row, meta?.[of] ?? 0) ? undefined : `it is no number from 0 to ${meta?.[of] ?? 0}`,
});

const build: OfStart = {
  kind: "start",
  flaw(rest, row, meta) {
    const { build: name } = fieldsOf(row) as Partial<BuildRow>;
    if (typeof name !== "string") return "it names no build";
    return rest === "" || isCount(Number(rest), (meta?.position ?? 0) + 1)
      ? undefined
      : "no entry has this position";
  },
};

/** Where a start stands, and the entry in doubt. */
const doubt: OfStart = {
  kind: "start",
  flaw(_rest, row, meta) {
    const position = typeof row === "number" ? row : fieldsOf(row)["position"];
    return isCount(position, (meta?.position ?? 0) + 1) ? undefined : "no entry has this position";
  },
};

/** By name: what stands before the first `/` of a key. */
export const TABLES: Readonly<Record<string, Table>> = {
  meta: STORE,
  policy: STORE,
  unruled: session(partsFrom(0)),
  actor: session(partsFrom(0)),
  book: session(partsFrom(0)),
  ledger: session(partsFrom(0)),
  seen: session(partsFrom(0)),
  holdback: session(partsFrom(0)),
  held: session(partsFrom(0)),
  alarm: session(partsFrom(0)),
  calls: session(partsFrom(0)),
  asked: session(partsFrom(0)),
  timer: session(partsFrom(1)),
  tomb: session(partsFrom(1), { isLog: true }),
  last: session(partsFrom(1), { isLog: true }),
  past: session(partsFrom(1), { isLog: true }),
  owner: session(ofAddress),
  list: session(ofAddress),
  change: session(ofNames, { isLog: true, ofStart: ["epoch"] }),
  audit: session(ofNames, { isLog: true }),
  dead: session(ofPlace, { isLog: true }),
  buried: session(ofBody, { isLog: true }),
  reply: session(ofPlace, { isLog: true }),
  replied: session(ofReply, { isLog: true }),
  // Calls of any session change a rule's row: it counts its uses.
  rule: STORE,
  ruled: STORE,
  rulehome: STORE,
  ruleend: STORE,
  quota: STORE,
  mark: STORE,
  proof: STORE,
  unended: STORE,
  published: floor("changes"),
  posted: floor("deads"),
  build,
  starts: doubt,
  trying: doubt,
};

/** The name of the table that a key is in, and what of the key is behind it. */
export function placeOf(key: string): { readonly name: string; readonly rest: string } {
  const [name = "", ...rest] = key.split("/");
  return { name, rest: rest.join("/") };
}

export const tableOf = (key: string): string => placeOf(key).name;
