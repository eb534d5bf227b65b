// Statement
// A signed statement of which people approved which calls, for programs that read in-toto statements.
//
//   Owns:          the content of a statement (in-toto Statement v1), its envelope (DSSE v1).
//   Does not own:  the rows (rows-in.ts), the key of the log, which signs the statement (runtime/tlog/note).
//
// STATEMENT-1. A statement names only calls that a person approved through this engine, and no call that a rule, a policy or a
//     model approved.
// STATEMENT-2. The signed text of a statement is never also a valid checkpoint, because statements and checkpoints begin
//     differently.

import { z } from "zod";
import { isByRule, isModels } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import type { Signer, Verifier } from "../tlog/note.ts";
import type { OpenedLog } from "./kept-log.ts";
import type { Placed, RowFilter } from "./rows-in.ts";

const PAYLOAD = "application/vnd.in-toto+json";
const TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE = "urn:signalbox:approved-calls:v1";
/** The kinds of audit rows for answers of people. `vote`: one person's approval of the several that a demand requires. */
const ANSWERS: readonly string[] = ["decision", "vote", "early-decision"];

const envelope = z.looseObject({
  payloadType: z.literal(PAYLOAD),
  payload: z.base64(),
  signatures: z.array(z.looseObject({ keyid: z.string(), sig: z.base64() })).min(1),
});
export type Envelope = z.infer<typeof envelope>;

export function approvedStatement(
  { origin, size, root }: OpenedLog,
  rows: readonly Placed[],
  { since, until }: Pick<RowFilter, "since" | "until">,
): object {
  const approved = rows.flatMap(({ index, row }) => {
    if (!row || !ANSWERS.includes(row.kind) || row.decision !== "approve") return [];
    if (isByRule(row.by) || isModels(row.by)) return [];
    const { kind, approvalId, callId, workspace, sessionId, by, at, tool, inputHash } = row;
    const of = { index, kind, approvalId, callId, workspace, sessionId };
    return [{ ...of, by, at: timeOf(at), tool, inputHash }];
  });
  return {
    _type: TYPE,
    subject: approved.flatMap(({ callId, approvalId, inputHash }) =>
      inputHash === undefined ? [] : [{ name: callId ?? approvalId ?? "", digest: { sha256: inputHash } }],
    ),
    predicateType: PREDICATE,
    predicate: {
      since: since === undefined ? undefined : timeOf(since),
      until: until === undefined ? undefined : timeOf(until),
      log: { origin, size, root: root.toString("base64") },
      approved,
    },
  };
}

const timeOf = (at: number): string => new Date(at).toISOString();

/** STATEMENT-2: the bytes that DSSE signs. */
const encoded = (payload: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`DSSEv1 ${PAYLOAD.length} ${PAYLOAD} ${payload.length} `), payload]);

export function signedStatement(statement: object, signer: Signer): Envelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = signer.sign(encoded(payload)).toString("base64");
  return {
    payloadType: PAYLOAD,
    payload: payload.toString("base64"),
    signatures: [{ keyid: `${signer.name}+${signer.id}`, sig }],
  };
}

export const isStatement = (text: string): boolean => text.startsWith(`{"payloadType":"${PAYLOAD}"`);

/** @returns the statement. @throws RefusedError NOT_SIGNED; ZodError for a value that is not an envelope. */
export function openedStatement(given: unknown, verifier: Verifier): unknown {
  const data = envelope.parse(given);
  const payload = Buffer.from(data.payload, "base64");
  const isSigned = data.signatures.some(({ sig }) =>
    verifier.isSignature(encoded(payload), Buffer.from(sig, "base64")),
  );
  if (isSigned) return JSON.parse(payload.toString()) as unknown;
  throw new RefusedError(
    "NOT_SIGNED",
    "The statement is not valid: it was not signed with this key.",
    "Use the key of the log that signed the statement.",
  );
}
