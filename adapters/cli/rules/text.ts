// Text
// Describes a rule in words.
//
//   Owns:          the words and columns about a rule; which fields of the engine's answer are read.
//   Does not own:  laying out the table (table.ts), making hidden characters visible (runtime/text/visible).

import { z } from "zod";
import { inputText, scopeText } from "../../../machines/index.ts";
import { oneLine } from "../../../runtime/text/visible.ts";
import { table } from "../output/table.ts";
import { agoOf, plural, withEngine } from "../wording.ts";
import { CONDITION_ANSWERS } from "./terms.ts";

export const ruleAnswer = z.looseObject({
  id: z.string(),
  workspace: z.string(),
  engine: z.string().optional(),
  effect: z.string(),
  ...CONDITION_ANSWERS,
  used: z.number(),
  dry: z.literal(true).exactOptional(),
  record: z
    .looseObject({ asked: z.number(), answered: z.number(), contradicted: z.number() })
    .exactOptional(),
  note: z.string().exactOptional(),
  madeBy: z.string(),
  madeAt: z.number(),
  state: z.string(),
});
export type RuleAnswer = z.infer<typeof ruleAnswer>;

export const ruledAnswer = z.looseObject({ rule: ruleAnswer });

export const ruleText = (rule: Pick<RuleAnswer, "effect" | "tool" | "match">): string =>
  [rule.effect, rule.tool, inputText(rule)].filter(Boolean).join(" ");

/**
 * When a rule ends. An engine notices that a rule has expired only when it reads its next journal entry, so the rule's own end
 * is also compared with `now`.
 */
function endText({ state, expiresAt, uses, used }: RuleAnswer, now: number): string {
  const isOver = expiresAt !== undefined && (state === "expired" || expiresAt <= now);
  if (isOver && (state === "expired" || state === "in-force")) return `expired ${agoOf(expiresAt, now)} ago`;
  if (state !== "in-force") return state;
  const left = uses === undefined ? "" : `${uses - used} of ${plural(uses, "use")} left`;
  const when = expiresAt === undefined ? "" : `for ${agoOf(now, expiresAt)}`;
  return [when, left].filter(Boolean).join(", ");
}

const NONE = { asked: 0, answered: 0, contradicted: 0 };

function recordText({ record = NONE }: RuleAnswer): string {
  const { asked, answered, contradicted } = record;
  return `would have answered ${answered} of ${asked}, otherwise than a person ${plural(contradicted, "time")}`;
}

function usedText({ dry, used, record = NONE }: RuleAnswer): string {
  const { asked, answered, contradicted } = record;
  return dry === true ? `would ${answered} of ${asked}, ${contradicted} otherwise` : String(used);
}

export function ruleTable(rules: readonly RuleAnswer[], now: number, columns: number): string {
  const rows = rules.map((rule) => [
    withEngine(rule.id, rule),
    rule.dry === true ? `${rule.effect}, dry` : rule.effect,
    rule.tool,
    inputText(rule),
    scopeText(rule),
    endText(rule, now),
    usedText(rule),
    `${rule.madeBy}, ${agoOf(rule.madeAt, now)} ago`,
    rule.note ?? "",
  ]);
  return table(["RULE", "EFFECT", "TOOL", "INPUT", "ONLY", "ENDS", "USED", "MADE BY", "NOTE"], rows, columns);
}

export function ruleLines(rule: RuleAnswer, now: number): string {
  const more = [scopeText(rule), endText(rule, now)].filter(Boolean).join("; ");
  const line = `${rule.id}: ${oneLine(ruleText(rule))}${more === "" ? "" : ` (${more})`}, in ${rule.workspace}.`;
  if (rule.dry === true)
    return `${line}\nThe rule answers nothing: it ${recordText(rule)}.\nMake it answer: \`npx signalbox rules enforce ${rule.id}\`.`;
  return `${line}\nThe rule answers approvals from now on. Approvals that wait already still wait: see \`npx signalbox approvals\`.`;
}
