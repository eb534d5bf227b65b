// Service call
// Makes an event of a service's request for approval.
//
//   Owns:          the fields of a service's request, and the names that other products use for these fields.
//   Does not own:  waiting for the answer (gate), applying the event (machines).
//
// SERVICE-CALL-1. A service names its call by a run, a call id of its own, a function and the arguments; or by the id of the tool
//     call, if the service knows that id. If a request gives a field under both of its names, the values must be equal.
// SERVICE-CALL-2. If a service requests approval for the same call with the same id again, the same event is made, and so the
//     same approval is meant.

import { z } from "zod";
import { defined } from "../../machines/index.ts";
import { canonicalText } from "../canonical.ts";
import type { EventParts } from "../door/envelope.ts";
import { readAs } from "../door/schemas.ts";
import { parseBytes } from "../door/parse.ts";
import { RefusedError } from "../errors/errors.ts";
import { checkNumbers } from "../door/parse.ts";
import { toId } from "../foreign-id.ts";
import { GATE_MS } from "./times.ts";

/**
 * The channel of an approval that a service requests. A service waits by asking for the answer again and again; between two
 * such calls no connection shows that it still waits, so it is given time (`LEASE_MS.service`).
 */
export const SERVICE_CHANNEL = "gate-service";

const foreign = z.string().min(1, "is empty").max(512).transform(toId);
const name = z.string().min(1, "is empty").max(256);
const input = z.record(z.string(), z.unknown());

/** The fields that a service sends. Names with an underscore, and `spec`, are other names of the same fields. */
export const SERVICE_CALL = z.strictObject({
  approvalId: foreign.exactOptional(),
  call_id: foreign.exactOptional(),
  workspace: foreign.exactOptional(),
  session: foreign.exactOptional(),
  run_id: foreign.exactOptional(),
  tool: name.exactOptional(),
  input: input.exactOptional(),
  spec: z.looseObject({ fn: name, kwargs: input.exactOptional() }).exactOptional(),
  toolUseId: name.exactOptional(),
  agentId: name.exactOptional(),
  waitMs: z.int().min(1).max(GATE_MS.most).default(GATE_MS.service),
  onDeadline: z.enum(["ask", "deny"]).default("deny"),
});

export interface ServiceCall {
  readonly approvalId: string;
  readonly workspace?: string;
  readonly session: string;
  readonly waitMs: number;
  readonly onDeadline: "ask" | "deny";
  readonly data: Readonly<Record<string, unknown>>;
}

/** @throws RefusedError naming the field. */
export function readServiceCall(body: Uint8Array): ServiceCall {
  const said = readAs(SERVICE_CALL, parseBytes(body), "");
  checkNumbers(body);
  const { workspace, waitMs, onDeadline, spec, toolUseId, agentId } = said;
  const kwargs = spec && (spec.kwargs ?? said.input ?? {});
  return {
    approvalId: either("approvalId", said.approvalId, "call_id", said.call_id),
    session: either("session", said.session, "run_id", said.run_id),
    waitMs,
    onDeadline,
    ...defined({ workspace }),
    data: {
      tool: either("tool", said.tool, "spec.fn", spec?.fn),
      input: either("input", said.input, "spec.kwargs", kwargs),
      ...defined({ toolUseId, agentId }),
    },
  };
}

/**
 * Makes an event of a service's request for approval, so that it is treated like an event that the service sent itself.
 * @param now when the service asks, ms.
 */
export const eventOf = (
  { approvalId, session, waitMs, onDeadline, data }: ServiceCall,
  workspace: string,
  now: number,
): EventParts => ({
  workspace,
  session,
  id: approvalId,
  source: "gate",
  type: "approval.requested",
  data: { ...data, approvalId, channel: SERVICE_CHANNEL, deadlineAt: Math.round(now + waitMs), onDeadline },
});

/**
 * Reads a field that has two names. If a caller gives both names, their values must be equal.
 * @throws RefusedError naming the field.
 */
function either<T>(ours: string, mine: T | undefined, theirs: string, other: T | undefined): T {
  const said = mine ?? other;
  if (said === undefined)
    throw wrong(ours, `${ours} is missing.`, `Send this field, or ${theirs}, which means the same.`);
  if (other !== undefined && canonicalText(said) !== canonicalText(other))
    throw wrong(
      theirs,
      `${theirs} and ${ours} are two names of one field, but their values differ.`,
      "Send only one of these two fields.",
    );
  return said;
}

const wrong = (path: string, message: string, next: string): RefusedError =>
  new RefusedError("WRONG_SHAPE", message, next, path);
