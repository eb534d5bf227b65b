// Call
// Requests an approval for a call of a program that is not a client's hook, in the form in which the hook does it.
//
//   Owns:          sending the request as the client's hook would; which answer the program gets if no engine answers.
//   Does not own:  waiting for the answer (waiting), reporting answers given without the engine (telling), the protocols.
//
// GATE-CALL-1. If the engine gives no answer, the call is denied. A hook could instead have the client ask its user; a program
//     that is no hook has no such client.
// GATE-CALL-2. The function `askAboutCall` never throws. It stops waiting at its deadline, or when its caller has left.

import { randomUUID } from "node:crypto";
import { defined } from "../../machines/defined.ts";
import { toolInput } from "../../runtime/canonical.ts";
import type { AskedCall, GateForm, Verdict } from "../../runtime/gate-form.ts";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import { Line, type WantedApproval, type Where } from "./line.ts";
import type { Tell } from "./telling.ts";
import { waitForAnswer } from "./waiting.ts";

export interface CallDoor {
  readonly via: "sdk" | "mcp";
  readonly form: GateForm;
  /** The client's name; undefined for the first client in runtime/clients.ts. */
  readonly client?: string;
  readonly where: Where;
  readonly timeoutMs: number;
  readonly workspace?: string;
  readonly cwd?: string;
  /** The id of the session for calls whose session neither the program nor the engine knows. */
  readonly run: string;
  readonly tell: Tell;
}

export async function askAboutCall(door: CallDoor, call: AskedCall): Promise<Verdict> {
  try {
    return await asked(door, call);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { type: "deny-closed", why: `Signalbox gave no answer: ${why}` };
  }
}

async function asked(door: CallDoor, call: AskedCall): Promise<Verdict> {
  const { via, form, client, where, timeoutMs, workspace, cwd, run, tell } = door;
  const { input, toolUseId, session, gone } = call;
  const inputHash = toolInput(input).hash;
  const unplaced = session === undefined ? { session: run, ...defined({ call: toolUseId }) } : {};
  const wanted: WantedApproval = {
    id: `${via}_${randomUUID()}`,
    body: Buffer.from(JSON.stringify(form.payloadOf(call, cwd))),
    workspace,
    onDeadline: "deny",
    more: { via, ...defined({ client }), ...unplaced },
  };
  const engine = new Line(where, wanted, gone);
  const { verdict, isLocal } = await waitForAnswer({
    engine,
    inputHash,
    closed: "deny",
    deadline: performance.now() + timeoutMs,
  });
  // `taken` only tells the engine that the program got the answer, so nobody waits for the engine's reply.
  if (verdict.type === "allow" || verdict.type === "deny")
    engine.taken(ASKER_MS.taken).catch(() => undefined);
  // `tell` reports an answer that the gate gave without the engine. If the caller has left, no report is needed: the connection
  // to the engine is closed, so the engine withdraws the approval.
  if (isLocal && gone?.aborted !== true) tell(wanted);
  return verdict;
}
