// Call
// A call that a door of the client asks about, which is not a hook: asked at the same gate, as a hook would ask.
//
//   Owns:          the payload that stands for it, and its closed answer.
//   Does not own:  the waiting (waiting), telling what it answered alone (telling), the words of each door
//                  (can-use-tool, permission-tool).
//
// GATE-CALL-1. There is nobody else to ask: whatever is no answer denies.
// GATE-CALL-2. It neither throws nor waits beyond its deadline, or for an asker who has left.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { defined } from "../../machines/defined.ts";
import { toolInput } from "../../runtime/canonical.ts";
import { ASKER_MS } from "../../runtime/gate/times.ts";
import { Line, type WantedApproval, type Where } from "./line.ts";
import type { Verdict } from "./printed.ts";
import type { Telling } from "./telling.ts";
import { waitForAnswer } from "./waiting.ts";

/** Who asks, for all its calls. */
export interface CallDoor {
  readonly via: "sdk" | "mcp";
  readonly where: Where;
  readonly timeoutMs: number;
  readonly workspace?: string;
  readonly cwd?: string;
  /** The session for calls of which neither the asker nor the engine knows theirs. */
  readonly run: string;
  /** Tells the engine what was answered without it. */
  readonly telling: Telling;
}

export interface AskedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly toolUseId?: string;
  readonly agentId?: string;
  readonly session?: string;
  /** Aborted when the asker has left. */
  readonly gone?: AbortSignal;
}

/** @returns an allow for this very input, or why not. */
export async function askAboutCall(door: CallDoor, call: AskedCall): Promise<Verdict> {
  try {
    return await asked(door, call);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { type: "deny-closed", why: `Signalbox gave no answer: ${why}` };
  }
}

async function asked(door: CallDoor, call: AskedCall): Promise<Verdict> {
  const { via, where, timeoutMs, workspace, cwd, run, telling } = door;
  const { tool, input, toolUseId, agentId, session, gone } = call;
  const inputHash = toolInput(input).hash;
  const payload = {
    hook_event_name: "PermissionRequest",
    tool_name: tool,
    tool_input: input,
    ...defined({ session_id: session, cwd, tool_use_id: toolUseId, agent_id: agentId }),
  };
  const unplaced = session === undefined ? { session: run, ...defined({ call: toolUseId }) } : {};
  const wanted: WantedApproval = {
    id: `${via}_${randomUUID()}`,
    body: Buffer.from(JSON.stringify(payload)),
    workspace,
    onDeadline: "deny",
    more: { via, ...unplaced },
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
  // It only tells how far the answer got: nobody waits for it.
  if (verdict.type === "allow" || verdict.type === "deny")
    engine.taken(ASKER_MS.taken).catch(() => undefined);
  // One who has left is withdrawn by that alone.
  if (isLocal && gone?.aborted !== true) telling.tell(wanted);
  return verdict;
}
