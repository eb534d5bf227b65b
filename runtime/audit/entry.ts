// Entry
// The audit log's entry for an audit row: that the row exists, its time, its kind, and a salted hash of its content
// (commitment).
//
//   Owns:          the forms of entries, the commitment, the opening that proves the content.
//   Does not own:  the rows (runtime/turn), the tree of entries (runtime/tlog), the files (adapters/audit-log).
//   Decided in:    docs/decisions/0085-an-audit-log-that-proves-itself.md.
//
// AUDIT-ENTRY-1. An entry does not contain its row's content: without the opening, an entry shows only the row's number, time and
//     kind.
// AUDIT-ENTRY-2. An opening fits exactly one entry, and no other salt or row fits that entry.

import { hash } from "node:crypto";
import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { canonicalText } from "../canonical.ts";
import { RefusedError } from "../errors/errors.ts";

export const SALT_BYTES = 32;
/** Stands in place of an opening: the opening was removed, or the entry is about no single row, and so has no opening. */
export const NO_OPENING = "-";

const head = { v: z.literal(1), at: z.int().nonnegative() };
const number = z.int().positive();

const own = z.discriminatedUnion("kind", [
  /** The entry that says with which row of which store the log begins, or begins again. */
  z.strictObject({ ...head, kind: z.literal("log-begun"), store: z.string(), from: number }),
  /** The entry for rows that could not be logged: the store no longer had them, or they were unreadable. */
  z.strictObject({ ...head, kind: z.literal("rows-missing"), from: number, to: number }),
  /** The entry that records how many further openings are removed; it is written before they are removed. */
  z.strictObject({ ...head, kind: z.literal("rows-erased"), count: number }),
]);

const ofRow = z.strictObject({
  ...head,
  kind: z.string().max(64),
  n: number,
  /** The SHA-256 of the salt and the row's canonical text, in base64. */
  commitment: z.base64().length(44),
});

export type OwnEntry = z.infer<typeof own>;
export type RowEntry = z.infer<typeof ofRow>;
export type Entry = OwnEntry | RowEntry;

export const isOfRow = (entry: Entry): entry is RowEntry => "commitment" in entry;

export const auditRow = z.looseObject({
  n: number,
  at: z.int().nonnegative(),
  kind: z.string().max(64),
  workspace: z.string(),
  sessionId: z.string(),
  by: z.string(),
  decision: z.string(),
  approvalId: z.string().optional(),
  alias: z.string().optional(),
  callId: z.string().optional(),
  reason: z.string().optional(),
  tool: z.string().optional(),
  inputHash: z.string().optional(),
});
export type AuditRow = z.infer<typeof auditRow>;

export interface Leaf {
  readonly entry: string;
  readonly opening: string;
}

export const ownLeaf = (entry: OwnEntry): Leaf => ({ entry: JSON.stringify(entry), opening: NO_OPENING });

/** @param salt `SALT_BYTES` random bytes, used for this row only. */
export function leafOf(row: AuditRow, salt: Buffer): Leaf {
  const { n, at, kind } = row;
  const text = canonicalText(row);
  const entry: RowEntry = { v: 1, at, kind, n, commitment: commitmentTo(salt, text) };
  return { entry: JSON.stringify(entry), opening: `${salt.toString("base64")} ${text}` };
}

const commitmentTo = (salt: Buffer, text: string): string =>
  hash("sha256", Buffer.concat([salt, Buffer.from(text)]), "base64");

/** @throws RefusedError BAD_ENTRY */
export function entryIn(bytes: Uint8Array): Entry {
  const found = jsonIn(Buffer.from(bytes).toString());
  const isRows = typeof found === "object" && found !== null && "commitment" in found;
  const { data } = isRows ? ofRow.safeParse(found) : own.safeParse(found);
  if (data) return data;
  throw new RefusedError(
    "BAD_ENTRY",
    "An entry of the audit log is malformed.",
    "Replace the log's damaged file with an undamaged copy.",
  );
}

/**
 * @returns the row in an opening; undefined if the opening was removed, or the entry has none.
 * @throws RefusedError BAD_OPENING for the opening of another entry (AUDIT-ENTRY-2)
 */
export function openedRow(entry: Entry, opening: string): AuditRow | undefined {
  if (opening === NO_OPENING) return undefined;
  const blank = opening.indexOf(" ");
  const salt = Buffer.from(opening.slice(0, Math.max(0, blank)), "base64");
  const text = opening.slice(blank + 1);
  const isRight =
    isOfRow(entry) &&
    salt.length === SALT_BYTES &&
    opening === `${salt.toString("base64")} ${text}` &&
    commitmentTo(salt, text) === entry.commitment;
  const row = isRight ? auditRow.safeParse(jsonIn(text)).data : undefined;
  if (row && isRight && row.n === entry.n && row.at === entry.at && row.kind === entry.kind) return row;
  throw new RefusedError(
    "BAD_OPENING",
    "The content of an entry does not match its hash.",
    "Replace the log's damaged file with an undamaged copy.",
  );
}
