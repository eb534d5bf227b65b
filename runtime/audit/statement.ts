// Statement
// A signed statement that these calls were approved by these people, for programs that know in-toto.
//
//   Owns:          what it says (in-toto Statement v1), its envelope (DSSE v1).
//   Does not own:  the rows (rows-in.ts), the key (runtime/tlog/note): it is the log's own.
//
// STATEMENT-1. It names calls that a person approved here, and no other: no rule's, no policy's and no model's.
// STATEMENT-2. What is signed is never a checkpoint: the texts begin differently.

import { z } from "zod";
import { isByRule, isModels } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import type { Signer, Verifier } from "../tlog/note.ts";
import type { OpenedLog } from "./kept-log.ts";
import type { Placed, RowFilter } from "./rows-in.ts";

const PAYLOAD = "application/vnd.in-toto+json";
const TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE = "urn:signalbox:approved-calls:v1";
/** A vote is one person's yes where several are wanted. */
const ANSWERS: readonly string[] = ["decision", "vote", "early-decision"];

const envelope = z.looseObject({
  payloadType: z.literal(PAYLOAD),
  payload: z.base64(),
  signatures: z.array(z.looseObject({ keyid: z.string(), sig: z.base64() })).min(1),
});
export type Envelope = z.infer<typeof envelope>;

/** @param rows of the range, in order. */
export function approvedStatement(
  { origin, size, root }: OpenedLog,
  rows: readonly Placed[],
  { since, until }: Pick<RowFilter, "since" | "until">,
): object {
  const approved = rows.flatMap(({ index, row }) => {
    if (!row || !ANSWERS.includes(row.kind) || row.decision !== "approve") return [];
    if (isByRule(row.by) || isModels(row.by)) return [];
    const { approvalId, callId, workspace, sessionId, by, at, tool, inputHash } = row;
    return [
      {
        index,
        kind: row.kind,
        approvalId,
        callId,
        workspace,
        sessionId,
        by,
        at: timeOf(at),
        tool,
        inputHash,
      },
    ];
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

/** STATEMENT-2: what DSSE has signed. */
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

/** @returns the statement. @throws RefusedError NOT_SIGNED; ZodError for what is no such envelope. */
export function openedStatement(given: unknown, verifier: Verifier): unknown {
  const data = envelope.parse(given);
  const payload = Buffer.from(data.payload, "base64");
  const isSigned = data.signatures.some(({ sig }) =>
    verifier.isSignature(encoded(payload), Buffer.from(sig, "base64")),
  );
  if (isSigned) return JSON.parse(payload.toString()) as unknown;
  throw new RefusedError(
    "NOT_SIGNED",
    "The statement does not count: it was not signed with this key.",
    "See by which key it should be signed.",
  );
}
