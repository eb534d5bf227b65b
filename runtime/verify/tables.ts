// Tables
// Lists every table of the store: to which session each of its rows belongs, and how a verification checks it.
//
//   Owns:          the list of the store's tables, with one line for each.
//   Does not own:  the keys (rows/keys), comparing (verify/rows).
//
// VERIFY-TABLES-1. Every table of the store has a line in the list. A row whose key belongs to no table is reported, because the
//     engine never wrote it.
// VERIFY-TABLES-2. A row whose content does not follow from the journal is only checked for shape and limits, and is reported as
//     not compared.

import { type BuildRow } from "../turn/proof.ts";
import { messageIn } from "../message.ts";
import { keys } from "../rows/keys.ts";
import type { Meta } from "../rows/meta.ts";

/** A session, as `<workspace>/<session>`. */
export type Home = string;

/** Gives access to other rows, which may show to which session a row belongs. */
export interface Whose {
  readonly homeAt: (position: number) => Home | undefined;
  /** Returns the parsed row that has this key. */
  readonly row: (key: string) => unknown;
}

interface OfSession {
  readonly kind: "session";
  /** Returns the session to which a row belongs. @param rest the row's key after the table's name. @param row the parsed row. */
  readonly home: (rest: string, row: unknown, whose: Whose) => Home | undefined;
  /** True if sweeps remove the rows of this table by age. A sweep may leave some old rows to a later sweep. */
  readonly isLog?: true;
  /** Fields that differ between two starts of the engine, and so are not compared. */
  readonly ofStart?: readonly string[];
}

interface OfStore {
  readonly kind: "store";
}

/** A table with rows about starts and outlets. They do not follow from the journal, so only their form and limits are checked. */
interface OfStart {
  readonly kind: "start";
  readonly flaw: (rest: string, row: unknown, meta: Meta | undefined) => string | undefined;
}

export type Table = OfSession | OfStore | OfStart;

const STORE: Table = { kind: "store" };

/** Reads the session from a key that has the workspace in part `n`, and the session's id in the next part. */
const partsFrom =
  (n: number): OfSession["home"] =>
  (rest) => {
    const parts = rest.split("/").slice(n, n + 2);
    return parts.length === 2 ? parts.join("/") : undefined;
  };

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

const doubt: OfStart = {
  kind: "start",
  flaw(_rest, row, meta) {
    const position = typeof row === "number" ? row : fieldsOf(row)["position"];
    return isCount(position, (meta?.position ?? 0) + 1) ? undefined : "no entry has this position";
  },
};

/** The tables of the store, by name. A table's name is the part of its keys before the first `/`. */
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
  // A rule's row belongs to no session, because it counts uses by calls of any session.
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
  differs: doubt,
  build,
  starts: doubt,
  trying: doubt,
};

/** The name of a key's table, and the rest of the key. */
export function placeOf(key: string): { readonly name: string; readonly rest: string } {
  const [name = "", ...rest] = key.split("/");
  return { name, rest: rest.join("/") };
}

export const tableOf = (key: string): string => placeOf(key).name;
