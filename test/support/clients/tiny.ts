// Tiny
// A second client, as small as one can be: it plans calls, asks about them, and tells of those that a person denied.
//
//   Owns:          its profile.
//   Does not own:  what the runtime makes of it.

import type { ApprovalId, SourceInput } from "../../../machines/index.ts";
import type { ClientProfile } from "../../../runtime/client-profile.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import type { GateNote } from "../../../runtime/door/gate-terms.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { GateForm } from "../../../runtime/gate-form.ts";

interface TinyHook {
  readonly what: string;
  readonly run?: string;
  readonly call?: string;
}

function readTiny(payload: unknown): TinyHook {
  if (typeof payload === "object" && payload !== null && "what" in payload) return payload as TinyHook;
  throw new RefusedError("WRONG_SHAPE", "what is missing.", "Send the payload as Tiny wrote it.", "what");
}

/** It makes one thing, always from the same. */
const INPUT = { target: "all" };

function inputsOf(data: unknown): readonly SourceInput[] {
  const { hook, gate } = data as { readonly hook: unknown; readonly gate?: GateNote };
  const { what, call: toolUseId } = readTiny(hook);
  if (toolUseId === undefined) return [{ type: "unknown", name: what }];
  const call = { toolUseId, tool: "Make" };
  if (gate && "answered" in gate)
    return [{ type: "approval.lapsed", approvalId: gate.approvalId as ApprovalId, said: gate.answered }];
  if (gate) {
    const { approvalId, deadlineAt, onDeadline } = gate;
    const asked = { ...call, input: toolInput(INPUT) };
    const id = approvalId as ApprovalId;
    return [
      { type: "approval.requested", approvalId: id, call: asked, channel: "gate", deadlineAt, onDeadline },
    ];
  }
  if (what === "plan") return [{ type: "tool.announced", call, messageId: "m1" }];
  return [{ type: "tool.denied", call, verdict: "user" }];
}

const gateForm: GateForm = {
  read(body) {
    const { what } = readTiny(JSON.parse(Buffer.from(body).toString("utf8")));
    if (what !== "may") throw new Error(`${what} asks for nothing.`);
    return {
      inputHash: toolInput(INPUT).hash,
      printed: (verdict) => (verdict.type === "allow" ? "go" : "stop"),
    };
  },
  payloadOf: ({ toolUseId, session }) => ({ what: "may", run: session, call: toolUseId }),
};

export const tiny = {
  name: "tiny",
  cascade: "none",
  translators: { "tiny.hook": inputsOf },
  hook: {
    type: "tiny.hook",
    eventField: "what",
    sessionField: "run",
    read: (payload) => {
      const { run: sessionId } = readTiny(payload);
      return sessionId === undefined ? {} : { sessionId };
    },
  },
  gate: gateForm,
  install: {
    called: "Tiny",
    agent: "tiny",
    gates: ["permission", "none"],
    closed: ["ask", "deny"],
    scopes: ["user", "project"],
    oldest: "1.0.0",
    events: { plan: {}, may: { waits: "permission", since: "1.2.0" } },
    limits: () => [],
    settingsPath: (scope, cwd, _, home) => `${scope === "user" ? home : cwd}/.tiny.json`,
    entry: (kind, command, timeoutS) => ({ run: kind, command, within: timeoutS }),
    telemetry: () => ({ variables: {}, endpoint: "", headers: "" }),
  },
} satisfies ClientProfile;
