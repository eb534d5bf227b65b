// Notes
// What the proxy tells the engine of a conversation, in words of its own: the protocol's are between agent and editor.
//
//   Owns:          the shape of each note, reading one, what it means.
//   Does not own:  when one is told (conversation), how it travels (composition/acp-side).
//
// ACP-NOTES-1. Pure: the same note always gives the same inputs, and one that is no note is refused in words.

import type { SourceInput } from "../../machines/inputs.ts";
import { defined } from "../../machines/defined.ts";
import type { ApprovalId } from "../../machines/ids.ts";
import { givenInput } from "../../runtime/canonical.ts";
import type { GateNote } from "../../runtime/door/gate-terms.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { isFields } from "./message.ts";

type Told =
  | { readonly acp: "session"; readonly resumed?: boolean; readonly title?: string; readonly ended?: true }
  | { readonly acp: "prompt"; readonly prompt: string; readonly text: string }
  | {
      readonly acp: "stopped";
      readonly prompt: string;
      readonly outcome: Outcome;
      readonly error?: string;
    }
  | { readonly acp: "said"; readonly text: string; readonly prompt?: string }
  | ({ readonly acp: "call" } & NotedCall)
  | ({ readonly acp: "permission" } & NotedCall & { readonly tool_input: unknown });

type Outcome = "completed" | "interrupted" | "failed";

interface NotedCall {
  readonly call: string;
  readonly tool: string;
  readonly prompt?: string;
  readonly tool_input?: unknown;
  /** What it is for, in the agent's words. */
  readonly about?: string;
  /** `rejected`: the agent says that it failed, after it was told no; `refused`: that somebody said no. */
  readonly status?: "pending" | "in_progress" | "completed" | "failed" | "rejected" | "refused";
  readonly output?: string;
}

/** Where a note belongs, and who is at the other end. */
export interface Around {
  /** The agent's session, in the form an id may have here. */
  readonly session: string;
  readonly cwd?: string;
  readonly agent?: { readonly name: string; readonly version?: string };
}

export type Note = Told & Around;
export type PermissionNote = Extract<Note, { readonly acp: "permission" }>;

/** @throws RefusedError */
export function placeOf(payload: unknown): { readonly sessionId: string; readonly cwd?: string } {
  const { session, cwd } = noteIn(payload);
  return { sessionId: session, ...(typeof cwd === "string" && { cwd }) };
}

/** Of `{hook: a note, gate?: how it waits}`. @throws RefusedError */
export function inputsOf(data: unknown): readonly SourceInput[] {
  const { hook, gate } = data as { readonly hook: unknown; readonly gate?: GateNote };
  const note = noteIn(hook);
  switch (note.acp) {
    case "permission":
      return permission(note, gate);
    case "session": {
      const facts = defined({ cwd: note.cwd, title: note.title, client: clientIn(note) });
      if (note.ended === true) return [{ type: "session.ended", reason: "the agent or its editor is gone" }];
      if (note.title !== undefined) return [{ type: "session.noted", ...facts }];
      return [{ type: "session.started", reason: note.resumed === true ? "resume" : "startup", ...facts }];
    }
    case "prompt":
      return [{ type: "prompt.submitted", promptId: note.prompt, text: note.text }];
    case "stopped":
      return [
        {
          type: "turn.stopped",
          promptId: note.prompt,
          outcome: note.outcome,
          ...defined({ error: note.error }),
        },
      ];
    case "said":
      return [{ type: "agent.said", text: note.text, ...defined({ promptId: note.prompt }) }];
    case "call":
      return [ofCall(note)];
  }
}

/** The agent's name and version, as it told them at its start. */
function clientIn({ agent }: { readonly agent?: unknown }): string | undefined {
  const { name, version } = isFields(agent) ? agent : {};
  const said = [name, version].filter((each) => typeof each === "string" && each !== "");
  return typeof name === "string" && said.length > 0 ? said.join(" ") : undefined;
}

function ofCall({
  call: toolUseId,
  tool,
  prompt,
  status = "pending",
  output,
  about,
  ...more
}: NotedCall): SourceInput {
  const input = "tool_input" in more ? givenInput(more.tool_input) : undefined;
  const base = { ...defined({ promptId: prompt }), call: { toolUseId, tool, ...defined({ input }) } };
  const words = typeof about === "string" && about !== "" ? about : undefined;
  const intent = words && { intent: { text: words, source: "description", confidence: "likely" } as const };
  switch (status) {
    case "in_progress":
      return { type: "tool.started", ...base, ...intent };
    case "completed":
      return { type: "tool.finished", ...base, ...defined({ output }) };
    case "failed":
      return { type: "tool.failed", ...base, error: output ?? "" };
    case "rejected":
      return { type: "tool.denied", ...base, verdict: "user", ...defined({ message: output }) };
    case "refused":
      return { type: "tool.denied", ...base, verdict: "rule", ...defined({ message: output }) };
    case "pending":
      return { type: "tool.announced", ...base, ...intent };
  }
}

/** Without a gate it asks nothing: nobody would wait for the answer. */
function permission(note: PermissionNote, gate: GateNote | undefined): readonly SourceInput[] {
  if (gate === undefined) throw wrong("gate");
  const approvalId = gate.approvalId as ApprovalId;
  if ("answered" in gate) return [{ type: "approval.lapsed", approvalId, said: gate.answered }];
  const { call: toolUseId, tool, prompt, tool_input: asked } = note;
  const call = { toolUseId, tool, input: givenInput(asked) };
  const { deadlineAt, onDeadline } = gate;
  const base = defined({ promptId: prompt });
  return [
    { type: "approval.requested", ...base, approvalId, call, channel: "gate-acp", deadlineAt, onDeadline },
  ];
}

const TEXTS: Readonly<Record<Note["acp"], readonly string[]>> = {
  session: [],
  prompt: ["prompt", "text"],
  stopped: ["prompt", "outcome"],
  said: ["text"],
  call: ["call", "tool"],
  permission: ["call", "tool"],
};

function noteIn(payload: unknown): Note {
  if (typeof payload !== "object" || payload === null) throw wrong("acp");
  const fields = payload as Readonly<Record<string, unknown>>;
  const { acp } = fields;
  if (typeof acp !== "string" || !Object.hasOwn(TEXTS, acp)) throw wrong("acp");
  for (const name of ["session", ...TEXTS[acp as Note["acp"]]])
    if (typeof fields[name] !== "string") throw wrong(name);
  if (acp === "permission" && !("tool_input" in fields)) throw wrong("tool_input");
  return payload as Note;
}

const wrong = (name: string): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `${name} is missing, or not what a note of the ACP proxy has there.`,
    "Send notes as `signalbox acp` writes them.",
    name,
  );
