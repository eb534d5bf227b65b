// Casebook
// What is known so far about each call of a recording, and how strong the evidence is.
//
//   Owns:          which of two verdicts wins; which calls are still open.
//   Does not own:  where the evidence comes from.

export type Execution = "queued" | "processing" | "completed" | "failed" | "denied" | "missing-post";
export type Cause =
  "direct" | "hook" | "rule" | "cascade" | "interrupted" | "killed" | "unreported" | "inferred";

export interface Proof {
  readonly sessionId: string;
  readonly toolUseId: string;
  readonly agentId?: string;
  readonly tool: string;
  /** As the model wrote it, or as the first hook saw it. */
  readonly input: unknown;
  readonly execution: Execution;
  /** Of a denial or of a missing result. */
  readonly cause?: Cause;
  /** The call whose denial or interruption ended this one. */
  readonly causedBy?: string;
  /** Deferred by a hook, and not resumed. */
  readonly deferred?: true;
}

/** From weak to strong (ORACLE-1). An error alone says that there was no success; a refusal looks the same. */
const STRENGTHS = ["absence", "list", "error", "named", "inference", "lost", "word", "result"] as const;
export type Strength = (typeof STRENGTHS)[number];

export interface Verdict {
  readonly by: Strength;
  readonly execution: Execution;
  readonly cause?: Cause;
  readonly causedBy?: string;
}

export interface Case {
  readonly sessionId: string;
  readonly toolUseId: string;
  tool: string;
  input: unknown;
  agentId: string | undefined;
  /** The client's message that contains the call, and its place among that message's calls. */
  messageId: string | undefined;
  begun: boolean;
  deferred: boolean;
  verdict: Verdict | undefined;
}

export class Casebook {
  private readonly cases = new Map<string, Case>();

  /** The case of a call; opened at its first mention. */
  of(sessionId: string, toolUseId: string): Case {
    const key = `${sessionId} ${toolUseId}`;
    const found = this.cases.get(key) ?? {
      sessionId,
      toolUseId,
      tool: "",
      input: undefined,
      agentId: undefined,
      messageId: undefined,
      begun: false,
      deferred: false,
      verdict: undefined,
    };
    this.cases.set(key, found);
    return found;
  }

  /** The calls of a session, or of one message of it, in the order of first sight. */
  in(sessionId: string, messageId?: string): readonly Case[] {
    return [...this.cases.values()].filter(
      (each) => each.sessionId === sessionId && (messageId === undefined || each.messageId === messageId),
    );
  }

  all(): readonly Case[] {
    return [...this.cases.values()];
  }

  proofs(): readonly Proof[] {
    return this.all().map((each) => {
      const { sessionId, toolUseId, tool, input, agentId } = each;
      const call = { sessionId, toolUseId, tool, input, ...(agentId && { agentId }) };
      if (each.verdict === undefined) {
        return { ...call, execution: openState(each), ...(each.deferred && { deferred: true }) };
      }
      const { execution, cause, causedBy } = each.verdict;
      return { ...call, execution, ...(cause && { cause }), ...(causedBy && { causedBy }) };
    });
  }
}

const openState = (each: Case): Execution => (each.begun && !each.deferred ? "processing" : "queued");

/** Keeps the stronger verdict; of two equally strong ones the first. */
export function decide(each: Case, verdict: Verdict): void {
  const rank = (found: Verdict | undefined) => (found ? STRENGTHS.indexOf(found.by) : -1);
  if (rank(verdict) > rank(each.verdict)) each.verdict = verdict;
}

/** Closes the cases that are still open: no result will come any more. */
export function close(cases: readonly Case[], cause: Cause): void {
  for (const each of cases) {
    if (each.verdict === undefined && !each.deferred)
      decide(each, { by: "absence", execution: "missing-post", cause });
  }
}
