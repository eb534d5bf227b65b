// Rule rows
// Stores the rules of a workspace: those in force, and those that ended.
//
//   Owns:          the rows and the ids of rules, how many rules there may be, when a rule ends.
//   Does not own:  the content of a rule (machines/rules), letting rules answer (turn/rule-answering), old rows (turn/sweep).
//
// RULE-ROWS-1. A rule's id is made of the position of the entry that made the rule, and of the rule's number in this entry. So a
//     replay makes the same ids.
// RULE-ROWS-2. A workspace has at most 200 rules. Expired rules do not count.
// RULE-ROWS-3. A rule with n uses answers at most n approvals, and a rule with n uses an hour at most n within any hour. These
//     limits are exact, because a use is counted in the same commit as the rule's decision.
// RULE-ROWS-4. A rule that was removed, whose uses are spent, or that has expired, is still stored for a while, so that people
//     can see why earlier approvals were answered.

import { afterUse, type DryRecord, isInForce, type Rule, type WorkspaceId } from "../../machines/index.ts";
import { keys, rulePlace } from "./keys.ts";
import type { Layer, Readable } from "./overlay.ts";

export interface Ended {
  readonly why: "removed" | "used-up" | "expired";
  readonly at: number;
  readonly by?: string;
}

export type KeptRule = Rule & { readonly ended?: Ended };

export interface RuleEnd {
  readonly at: number;
  readonly workspace: WorkspaceId;
  readonly id: string;
}

export const RULES_MAX = 200;

/** @param n the rule's number among the rules that its entry made. */
export const ruleIdOf = (position: number, n = 0): string =>
  `r_${position.toString(36)}${n === 0 ? "" : `_${n}`}`;

/** The part of a rule's keys that identifies the rule; undefined for a text that is not the id of a rule. */
export function placeOfRule(id: string): string | undefined {
  const [, of = "", nth = "0"] = /^r_([0-9a-z]{1,11})(?:_([1-9][0-9]{0,2}))?$/.exec(id) ?? [];
  const [position, n] = [parseInt(of, 36), Number(nth)];
  return Number.isSafeInteger(position) && ruleIdOf(position, n) === id ? rulePlace(position, n) : undefined;
}

/** The rules in force, in the order in which they were made. @throws Error for an unreadable row. */
export function rulesOf(rows: Readable, workspace: WorkspaceId): readonly Rule[] {
  // The cast is safe: only this file writes rows of rules.
  return [...rows.keys(keys.rulesOf(workspace))].map((key) => rows.get(key) as Rule);
}

export function endedOf(rows: Readable, workspace: WorkspaceId): readonly KeptRule[] {
  return [...rows.keys(keys.endedOf(workspace))].map((key) => rows.get(key) as KeptRule);
}

/** @returns false if the workspace already has as many rules as it may have. */
export function addRule(layer: Layer, rule: Rule): boolean {
  const { workspace, id, expiresAt } = rule;
  for (const other of rulesOf(layer, workspace))
    if (!isInForce(other, rule.madeAt))
      end(layer, other, { why: "expired", at: other.expiresAt ?? rule.madeAt });
  if (rulesOf(layer, workspace).length >= RULES_MAX) return false;
  layer.set(keys.rule(workspace, placeOf(rule)), rule);
  layer.set(keys.ruleHome(placeOf(rule)), workspace);
  if (expiresAt !== undefined) log(layer, { at: expiresAt, workspace, id });
  return true;
}

/** @returns the ended rule; undefined if no rule with this id is in force. */
export function removeRule(
  layer: Layer,
  workspace: WorkspaceId,
  id: string,
  ended: Ended,
): KeptRule | undefined {
  const rule = ruleAt(layer, workspace, id);
  return rule && end(layer, rule, ended);
}

function ruleAt(layer: Layer, workspace: WorkspaceId, id: string): Rule | undefined {
  const place = placeOfRule(id);
  return place === undefined ? undefined : (layer.get(keys.rule(workspace, place)) as Rule | undefined);
}

/**
 * Makes a dry rule answer from now on; leaves a rule that is not dry as it is.
 * @returns undefined if no such rule is in force.
 */
export function enforceRule(
  layer: Layer,
  workspace: WorkspaceId,
  id: string,
  enforced: { readonly by: string; readonly at: number },
): Rule | undefined {
  const rule = ruleAt(layer, workspace, id);
  if (rule?.dry !== true) return rule;
  const { dry: _, ...terms } = rule;
  const real: Rule = { ...terms, enforced };
  layer.set(keys.rule(workspace, placeOf(rule)), real);
  return real;
}

export function recordDry(layer: Layer, rule: Rule, record: DryRecord): void {
  layer.set(keys.rule(rule.workspace, placeOf(rule)), { ...rule, record });
}

export function useRule(layer: Layer, rule: Rule, at: number): void {
  const used = afterUse(rule, at);
  layer.set(keys.rule(rule.workspace, placeOf(rule)), used);
  if (used.uses !== undefined && used.used >= used.uses) end(layer, used, { why: "used-up", at });
}

/** Removes the rows of a rule that ended long ago. @returns how many rows it removed. */
export function forgetRule(layer: Layer, { workspace, id }: RuleEnd): number {
  const place = placeOfRule(id);
  if (place === undefined) return 0;
  const all = [keys.rule(workspace, place), keys.ended(workspace, place), keys.ruleHome(place)];
  const found = all.filter((key) => layer.get(key) !== undefined);
  for (const key of found) layer.delete(key);
  return found.length;
}

function end(layer: Layer, rule: Rule, ended: Ended): KeptRule {
  const { workspace, id, expiresAt } = rule;
  const place = placeOf(rule);
  const kept: KeptRule = { ...rule, ended };
  layer.delete(keys.rule(workspace, place));
  layer.set(keys.ended(workspace, place), kept);
  if (expiresAt !== undefined) layer.delete(keys.ruleEnd(expiresAt, workspace, place));
  log(layer, { at: ended.at, workspace, id });
  return kept;
}

function log(layer: Layer, row: RuleEnd): void {
  layer.set(keys.ruleEnd(row.at, row.workspace, placeOf(row)), row);
}

/**
 * The part of a rule's keys that identifies the rule. `placeOfRule` finds it for every id of RULE-ROWS-1, so `rulePlace(0, 0)`
 * is never used.
 */
const placeOf = ({ id }: Pick<Rule, "id">): string => placeOfRule(id) ?? rulePlace(0, 0);
