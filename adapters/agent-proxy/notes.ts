// Notes
// The notes with which the proxy reports a conversation to the engine, in one form for all protocols.
//
//   Owns:          the shape of each note, reading a note, what a note means.
//   Does not own:  when a note is sent (conversation), how a note reaches the engine (composition/agent-side).
//
// PROXY-NOTES-1. Reading is pure: the same note always gives the same inputs, and a malformed note is refused with a message.
// PROXY-NOTES-2. A model's review is reported once it is over, as an approval that the model answered: no user could answer it.

import { isFields } from "../../machines/json.ts";
import type { SourceInput } from "../../machines/inputs.ts";
import { defined } from "../../machines/defined.ts";
import { MODEL } from "../../machines/evidence/answerer.ts";
import type { ApprovalId } from "../../machines/ids.ts";
import { givenInput } from "../../runtime/canonical.ts";
import type { GateNote } from "../../runtime/door/gate-terms.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { Status } from "./told.ts";

type Told =
  | { readonly told: "session"; readonly resumed?: boolean; readonly title?: string; readonly ended?: true }
  | { readonly told: "prompt"; readonly prompt: string; readonly text: string }
  | ({ readonly told: "stopped"; readonly prompt: string } & Stopped)
  | { readonly told: "said"; readonly text: string; readonly prompt?: string }
  | ({ readonly told: "call" } & NotedCall)
  | ({ readonly told: "permission" } & NotedCall & { readonly tool_input: unknown })
  | ({ readonly told: "review" } & NotedCall & Review & { readonly tool_input: unknown });

export interface Review {
  readonly review: string;
  readonly decision: "approve" | "deny";
  readonly message?: string;
}

export interface Stopped {
  readonly outcome: "completed" | "interrupted" | "failed";
  readonly error?: string;
}

interface NotedCall {
  readonly call: string;
  readonly tool: string;
  readonly prompt?: string;
  readonly tool_input?: unknown;
  /** The call's purpose, in the agent's words. */
  readonly about?: string;
  /**
   * `rejected`: the call failed after the proxy denied it. By the agent's words, a `refused` call was denied, and a `declined`
   * call did not run.
   */
  readonly status?: Status | "rejected" | "refused";
  readonly output?: string;
}

export interface Around {
  /** The id that the engine has for the agent's session. */
  readonly session: string;
  readonly cwd?: string;
  readonly agent?: { readonly name: string; readonly version?: string };
}

export type Note = Told & Around;
export type PermissionNote = Extract<Note, { readonly told: "permission" }>;

export interface NoteWords {
  readonly written: (note: Note) => object;
  /** @throws RefusedError if the note is malformed */
  readonly placeOf: (payload: unknown) => { readonly sessionId: string; readonly cwd?: string };
  /** Reads `{hook: a note, gate?: how the gate waits}`. @throws RefusedError */
  readonly inputsOf: (data: unknown) => readonly SourceInput[];
}

export function noteWords(profile: string): NoteWords {
  return {
    written: ({ told, ...more }) => ({ [profile]: told, ...more }),
    placeOf(payload) {
      const { session, cwd } = noteIn(payload, profile);
      return { sessionId: session, ...(typeof cwd === "string" && { cwd }) };
    },
    inputsOf(data) {
      const { hook, gate } = data as { readonly hook: unknown; readonly gate?: GateNote };
      const note = noteIn(hook, profile);
      return note.told === "permission" ? permission(note, gate, `gate-${profile}`) : meaning(note);
    },
  };
}

function meaning(note: Exclude<Note, PermissionNote>): readonly SourceInput[] {
  switch (note.told) {
    case "session": {
      const facts = defined({ cwd: note.cwd, title: note.title, client: clientIn(note) });
      if (note.ended === true) return [{ type: "session.ended", reason: "the agent or its client is gone" }];
      if (note.title !== undefined) return [{ type: "session.noted", ...facts }];
      return [{ type: "session.started", reason: note.resumed === true ? "resume" : "startup", ...facts }];
    }
    case "prompt":
      return [{ type: "prompt.submitted", promptId: note.prompt, text: note.text }];
    case "stopped":
      return [
        defined({ type: "turn.stopped", promptId: note.prompt, outcome: note.outcome, error: note.error }),
      ];
    case "said":
      return [{ type: "agent.said", text: note.text, ...defined({ promptId: note.prompt }) }];
    case "call":
      return [ofCall(note)];
    case "review":
      return reviewed(note);
  }
}

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
    case "declined":
      return defined({ type: "tool.denied", ...base, verdict: "rule", beforeRun: true, message: output });
    case "pending":
      return { type: "tool.announced", ...base, ...intent };
  }
}

/** The approval that a note requests. A note without a gate is refused, because nobody would wait for the answer. */
function permission(
  note: PermissionNote,
  gate: GateNote | undefined,
  channel: string,
): readonly SourceInput[] {
  if (gate === undefined) throw wrong("gate");
  const approvalId = gate.approvalId as ApprovalId;
  if ("answered" in gate) return [{ type: "approval.lapsed", approvalId, said: gate.answered }];
  const { call: toolUseId, tool, prompt, tool_input: asked } = note;
  const call = { toolUseId, tool, input: givenInput(asked) };
  const { deadlineAt, onDeadline } = gate;
  const base = defined({ promptId: prompt });
  return [{ type: "approval.requested", ...base, approvalId, call, channel, deadlineAt, onDeadline }];
}

/** The approval of a review, with the model's answer (PROXY-NOTES-2). */
function reviewed(note: Extract<Note, { readonly told: "review" }>): readonly SourceInput[] {
  const { call: toolUseId, tool, prompt, tool_input: shown, review, decision, message } = note;
  if (!["approve", "deny"].includes(decision)) throw wrong("decision");
  const call = { toolUseId, tool, input: givenInput(shown) };
  const base = { ...defined({ promptId: prompt }), approvalId: review as ApprovalId, call };
  return [
    { type: "approval.requested", ...base, channel: MODEL },
    { type: "approval.answered", ...base, decision, by: MODEL, ...defined({ message }) },
  ];
}

const TEXTS: Readonly<Record<Note["told"], readonly string[]>> = {
  session: [],
  prompt: ["prompt", "text"],
  stopped: ["prompt", "outcome"],
  said: ["text"],
  call: ["call", "tool"],
  permission: ["call", "tool"],
  review: ["call", "tool", "review"],
};

function noteIn(payload: unknown, profile: string): Note {
  if (typeof payload !== "object" || payload === null) throw wrong(profile);
  const { [profile]: told, ...fields } = payload as Readonly<Record<string, unknown>>;
  if (typeof told !== "string" || !Object.hasOwn(TEXTS, told)) throw wrong(profile);
  for (const name of ["session", ...TEXTS[told as Note["told"]]])
    if (typeof fields[name] !== "string") throw wrong(name);
  if (/^(?:permission|review)$/.test(told) && !("tool_input" in fields)) throw wrong("tool_input");
  return { ...fields, told } as unknown as Note;
}

const wrong = (name: string): RefusedError =>
  new RefusedError(
    "WRONG_SHAPE",
    `The field ${name} is missing from the proxy's note, or is not valid.`,
    "Send notes as the proxy writes them.",
    name,
  );
