// Draft
// The draft of a rule: the values of the form's fields, and the rule that these values make.
//
//   Owns:          the fields of a draft, making a rule from them, storing them while another view is shown.
//   Does not own:  how the fields look (form.tsx), which rules are valid (the engine).
//
// WRITING-DRAFT-1. A draft that was made from an existing rule makes the same rule again, and never a wider one.

import { defined } from "../../../../../machines/defined.ts";
import { type RuleEffect, type RuleTerms, SHELL } from "../../../../../machines/rules/terms.ts";
import { Value } from "../../engine/value.ts";

export const EFFECTS: Readonly<Record<RuleEffect, string>> = {
  allow: "allow",
  ask: "ask a person",
  deny: "deny",
};
export const INPUTS = {
  prefix: "that begins with",
  glob: "that fits the pattern",
  any: "of any input",
} as const;
const DAY_MS = 86_400_000;
export const ENDS = {
  hour: "after an hour",
  day: "after a day",
  week: "after a week",
  month: "after 30 days",
  never: "never",
} as const;
const LASTS_MS: Readonly<Record<keyof typeof ENDS, number | undefined>> = {
  hour: DAY_MS / 24,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  never: undefined,
};

export interface Draft {
  readonly effect: RuleEffect;
  readonly tool: string;
  readonly input: keyof typeof INPUTS;
  readonly text: string;
  /** The folder that calls must work in; only for a rule that allows. */
  readonly project: string;
  /** True if the rule allows only calls without a mark of risk; only for a rule that allows. */
  readonly isUnmarked: boolean;
  readonly end: keyof typeof ENDS;
  readonly note: string;
}

export const EMPTY: Draft = {
  effect: "allow",
  tool: SHELL,
  input: "prefix",
  text: "",
  project: "",
  isUnmarked: true,
  end: "month",
  note: "",
};

/** The draft. It is kept outside the view: a person who looks at a past approval and comes back finds it unchanged. */
export const draft = new Value<Draft>(EMPTY);

/**
 * A draft with a rule's terms (WRITING-DRAFT-1). @returns undefined if the rule has a condition for which the form has no field.
 */
export function draftFrom({ effect, tool, match, project, unmarked, ...more }: RuleTerms): Draft | undefined {
  if (Object.keys(more).length > 0 || match?.kind === "exact") return undefined;
  const text = match?.text ?? "";
  const about = { effect, tool, input: match?.kind ?? "any", text } as const;
  return { ...EMPTY, ...about, project: project ?? "", isUnmarked: unmarked ?? false };
}

/** Which calls the rule is about; undefined while fields are missing. */
export function aboutOf({ effect, tool, input, text, project, isUnmarked }: Draft): object | undefined {
  const [named, folder] = [tool.trim(), project.trim()];
  if (named === "" || (input !== "any" && text.trim() === "")) return undefined;
  return {
    effect,
    tool: named,
    ...(input !== "any" && { match: { kind: input, text } }),
    ...(effect === "allow" && folder !== "" && { project: folder }),
    ...(effect === "allow" && isUnmarked && { unmarked: true }),
  };
}

/** The whole rule; undefined while fields are missing. */
export function ruleOf(from: Draft, isDry: boolean): object | undefined {
  const about = aboutOf(from);
  const note = from.note.trim() === "" ? undefined : from.note.trim();
  return about && { ...about, ...defined({ forMs: LASTS_MS[from.end], note }), ...(isDry && { dry: true }) };
}
