// Dry recording
// Counts how dry rules would have answered an approval that a person has just answered. A dry rule itself answers nothing.
//
//   Owns:          which dry rules are tried, and what is counted.
//   Does not own:  which rule would answer (machines/rules), the rows of rules (rows/rule-rows).
//   Decided in:    docs/decisions/0079-dry-rules-count-at-the-answer.md.
//
// DRY-RECORDING-1. A dry rule is tried on approvals that were requested after the rule was made, as if the rule were in force
//     beside the other rules. The engine counts the answers that the rule would have given, and changes nothing else.
// DRY-RECORDING-2. Each approval that a person answered, through Signalbox or at the client, is counted once. No other approval
//     is counted.

import {
  type Address,
  type ApprovalContext,
  childAddress,
  type Rule,
  rulingOf,
} from "../../machines/index.ts";
import { actorRow } from "../rows/actors/actor-rows.ts";
import type { DraftChange } from "../rows/changes.ts";
import { answeredBy, pastApproval } from "../rows/past-approvals.ts";
import { withMarks } from "../risks/marked.ts";
import { recordDry, rulesOf } from "../rows/rule-rows.ts";
import { regionOf } from "../rows/views.ts";
import { besideOf, guardedIn } from "./rule-answering.ts";
import type { Stage } from "./stage.ts";

export const endedIn = (changes: readonly DraftChange[]): readonly string[] =>
  changes.flatMap(({ entity, from, to, id }) =>
    entity === "approval" && from === "pending" && ANSWERED.includes(to) ? [id] : [],
  );
/** The states of an approval that was answered. An approval that was answered at the client is `withdrawn`. */
const ANSWERED = ["approved", "denied", "withdrawn"];

/**
 * Counts how dry rules would have answered one approval.
 * @param id the id of an approval that has ended.
 * @throws the error of an unreadable row.
 */
export function recordAnswer(
  stage: Pick<Stage, "layer" | "workspace" | "session">,
  home: Address,
  id: string,
): void {
  const { layer, workspace } = stage;
  const rules = rulesOf(layer, workspace);
  const row = rules.some(isDry) ? actorRow(layer, childAddress(home, "approval", id)) : undefined;
  if (!row) return;
  // The cast is safe: the row is at an approval's address, so its context is an approval's.
  const approval = row.snapshot.context as ApprovalContext;
  const past = pastApproval(approval, regionOf(row.snapshot.value), besideOf(stage, home, approval.agentId));
  const answered = answeredBy(past);
  if (answered === undefined) return;
  const asked = withMarks(past);
  for (const rule of rules) {
    if (!isDry(rule) || past.at < rule.madeAt) continue;
    const { record = NONE } = rule;
    const { dry: _, ...real } = rule;
    const tried = { ...real, used: record.answered };
    const ruling = rulingOf(
      rules.map((each) => (each === rule ? tried : each)),
      asked,
      guardedIn(layer),
    );
    const would = ruling?.rule === tried && ruling.effect !== "ask" ? ruling.effect : undefined;
    recordDry(layer, rule, {
      asked: record.asked + 1,
      answered: record.answered + Number(would !== undefined),
      contradicted: record.contradicted + Number(would !== undefined && would !== answered),
    });
  }
}

const NONE = { asked: 0, answered: 0, contradicted: 0 };

const isDry = ({ dry }: Rule): boolean => dry === true;
