// Tool result
// Reads from a result block and the client's remarks how the call ended: done, failed, not allowed, or lost.
//
//   Owns:          the words with which the client says why a call has no result from its tool, such as `user-rejected`.
//   Does not own:  where in a stream line or transcript line the client's words are.
//
// TOOL-RESULT-1. A result counts as a denial only if it has the client's own word for a denial, never by its text alone. If a
//     client has no such word, the call counts as failed. The input then also has what the result's text may mean (`worded`), and
//     for which tools it may mean that.
// TOOL-RESULT-2. The client's general reason "user rejected" counts as a user's answer only if the same line says that a user
//     answered: the client also gives that reason for calls that nobody was asked about, and for running calls. If the line says
//     who denied the call, the denial counts as theirs.

import { defined } from "../../machines/defined.ts";
import { isPersons } from "../../machines/evidence/permission.ts";
import type { CallRef, SourceInput } from "../../machines/inputs.ts";
import type { Wording } from "../../machines/wording.ts";
import { type Fields, optionalChild, optionalText } from "../../runtime/foreign-fields.ts";

export interface Permission {
  readonly decision: "accept" | "reject";
  /** Who or what decided: `hook`, `config`, `user_permanent`, `user_temporary`, `user_reject`, … */
  readonly source: string;
  readonly reason?: string;
}

export interface Result {
  readonly call: CallRef;
  readonly isError: boolean;
  readonly text?: string;
  /** The client's word for why the call has no result of its tool: `permission-rule`, `user-rejected`, `interrupted`, … */
  readonly kind?: string;
  readonly permission?: Permission;
  readonly beforeRun?: boolean;
  /** True if the client asks its user at its own terminal, so that the engine does not see the answer. */
  readonly terminal?: true;
  /** True if the client is so old that it never reports whether a call began. */
  readonly unmarked?: true;
  /** Who refused the call, as far as the text of an older client tells (TOOL-RESULT-1). */
  readonly worded?: Wording;
}

export function permissionOf(fields: Fields, key: string): Permission | undefined {
  const found = optionalChild(fields, key);
  const decision = found?.values["decision"];
  if (found === undefined || (decision !== "accept" && decision !== "reject")) return undefined;
  const source = optionalText(found, "source");
  if (source === undefined) return undefined;
  const kind = optionalText(found, "reasonType") ?? optionalText(found, "reason_type");
  const code = optionalText(found, "reasonCode");
  // A source `user_…` may stand for a rule that the user wrote. Only the reason's type (`kind`) shows this; the reason's `code`
  // only says why the client asked.
  const reason = source.startsWith("user_") ? (kind ?? code) : (code ?? kind);
  return defined({ decision, source, reason });
}

/** @param base the fields that every input of the result's line has. */
export function resultInputs(result: Result, base: object): readonly SourceInput[] {
  const { call, permission } = result;
  const outcome = { ...base, ...outcomeOf(result) };
  if (permission === undefined) return [outcome];
  return [{ ...base, type: "tool.permission", call, ...permission }, outcome];
}

type Outcome = Extract<SourceInput, { type: "tool.finished" | "tool.failed" | "tool.denied" | "tool.lost" }>;

function outcomeOf({ call, isError, text, kind, permission, worded, ...begun }: Result): Outcome {
  if (kind === "interrupted") return { type: "tool.lost", call, cause: "killed" };
  if (kind === "permission-rule" || kind === "user-rejected" || permission?.decision === "reject") {
    const verdict = verdictOf(kind, permission);
    const { beforeRun, terminal, unmarked } = verdict === "rejected" ? begun : {};
    return defined({ type: "tool.denied", call, verdict, message: text, beforeRun, terminal, unmarked });
  }
  if (isError) return defined({ type: "tool.failed", call, error: text ?? "", worded });
  return defined({ type: "tool.finished", call, output: text });
}

function verdictOf(
  kind: string | undefined,
  permission: Permission | undefined,
): "user" | "hook" | "rule" | "rejected" {
  if (permission?.decision === "reject") {
    if (permission.source === "hook") return "hook";
    return isPersons(permission) ? "user" : "rule";
  }
  return kind === "user-rejected" ? "rejected" : "rule";
}
