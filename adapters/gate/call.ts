// Call
// Asks at the gate about a call for a program other than the client's hook, in the same form as the hook.
//
//   Owns:          sending the request as the client's hook would, the answer without an engine.
//   Does not own:  the waiting (waiting), reporting its own answers (telling), the words of each program (the client's adapter).
//
// GATE-CALL-1. Nobody else can be asked: without an answer, the call is denied.
// GATE-CALL-2. The function never throws, and never waits beyond its deadline, or for a caller that has left.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../../machines/defined.ts";
import { toolInput } from "../../runtime/canonical.ts";
import type { AskedCall, GateForm, Verdict } from "../../runtime/gate-form.ts";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import { Line, type WantedApproval, type Where } from "./line.ts";
import type { Telling } from "./telling.ts";
import { waitForAnswer } from "./waiting.ts";

/** The program that asks, for all its calls. */
export interface CallDoor {
  readonly via: "sdk" | "mcp";
  readonly form: GateForm;
  /** The client that made the call. Undefined means the first client that runtime/clients.ts names. */
  readonly client?: string;
  readonly where: Where;
  readonly timeoutMs: number;
  readonly workspace?: string;
  readonly cwd?: string;
  /** The session for calls whose session neither the program nor the engine knows. */
  readonly run: string;
  readonly telling: Telling;
}

/** @returns an allow for exactly this input, or why not. */
export async function askAboutCall(door: CallDoor, call: AskedCall): Promise<Verdict> {
  try {
    return await asked(door, call);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { type: "deny-closed", why: `Signalbox gave no answer: ${why}` };
  }
}

async function asked(door: CallDoor, call: AskedCall): Promise<Verdict> {
  const { via, form, client, where, timeoutMs, workspace, cwd, run, telling } = door;
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
  const now = (): number => performance.now();
  const engine = new Line(where, wanted, gone);
  const { verdict, isLocal } = await waitForAnswer({
    engine,
    inputHash,
    closed: "deny",
    deadline: now() + timeoutMs,
    now,
    sleep: (ms) => sleep(ms, undefined),
  });
  // This call only reports that the answer was taken, so the gate does not wait for it.
  if (verdict.type === "allow" || verdict.type === "deny")
    engine.taken(ASKER_MS.taken).catch(() => undefined);
  // The request of a caller that has left is withdrawn without a report.
  if (isLocal && gone?.aborted !== true) telling.tell(wanted);
  return verdict;
}
