// Ruled
// An engine with rules, in a few words.
//
//   Owns:          making and removing rules, asking for calls, reading what was answered by which rule.
//   Does not own:  what must hold.

import type { ApprovalContext, RuleTerms } from "../../../machines/index.ts";
import type { Reply } from "../../../runtime/turn/turn-result.ts";
import { ENGINE, type RuleAdded } from "../../../runtime/message.ts";
import { type Rig, WORKSPACE } from "../engine/rig.ts";
import { call, said } from "../sessions/said.ts";

export const MADE_BY = "local:ann";

export const addRule = (rig: Rig, terms: RuleTerms, other: Partial<RuleAdded> = {}): Promise<Reply> =>
  rig.engine.own(WORKSPACE, ENGINE.session, { type: "rule.added", terms, by: MADE_BY, ...other });

export const removeRule = (rig: Rig, id: string, by = MADE_BY): Promise<Reply> =>
  rig.engine.own(WORKSPACE, ENGINE.session, { type: "rule.removed", id, by });

/** The id of a rule that was made. @throws Error if none was. */
export async function ruleFor(rig: Rig, terms: RuleTerms, other: Partial<RuleAdded> = {}): Promise<string> {
  const { rule, reason } = await addRule(rig, terms, other);
  if (!rule) throw new Error(`no rule was made: ${reason}`);
  return rule.id;
}

/** Announces a Bash call and asks about it. */
export const askFor = (rig: Rig, id: string, command: string, session = "s1"): Promise<Reply> => {
  const ref = call(`c-${id}`, "Bash", { command });
  return rig.tell(session, said.announced(ref), said.ask(id, ref));
};

/** An approval as the store has it. */
export function approvalIn(
  rig: Rig,
  id: string,
  session = "s1",
): (ApprovalContext & { readonly state: unknown }) | undefined {
  const row = rig.row(`actor/${WORKSPACE}/${session}/approval/${id}`) as
    { value: unknown; context: ApprovalContext } | undefined;
  return row && { state: row.value, ...row.context };
}

/** What became of an approval, and by whom: `approved rule:r_3`. */
export function fateOf(rig: Rig, id: string, session = "s1"): string {
  const { state, by } = approvalIn(rig, id, session) ?? {};
  return by === undefined ? String(state) : `${String(state)} ${by}`;
}

/** The rows of the audit trail of one kind. */
export const auditsIn = (rig: Rig, kind: string): readonly Record<string, unknown>[] =>
  [...rig.rows("audit/").values()]
    .map((text) => JSON.parse(text) as Record<string, unknown>)
    .filter((row) => row["kind"] === kind);
