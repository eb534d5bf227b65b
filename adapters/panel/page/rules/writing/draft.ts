// Draft
// A rule that is being written: what stands in the form, and the rule that it makes.
//
//   Owns:          the fields, the rule of them, keeping them while another view is looked at.
//   Does not own:  how they look (form.tsx), what a rule may say (the engine).

import { defined } from "../../../../../machines/defined.ts";
import { type RuleEffect, SHELL } from "../../../../../machines/rules/terms.ts";
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
  /** A folder; only to allow. */
  readonly project: string;
  /** Only calls without a risk's mark; only to allow. */
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

/** Going to a past answer and back loses nothing of it. */
export const draft = new Value<Draft>(EMPTY);

/** What the rule is about; undefined while too little is said of it. */
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

/** The whole rule; undefined while too little is said of it. */
export function ruleOf(from: Draft, isDry: boolean): object | undefined {
  const about = aboutOf(from);
  const note = from.note.trim() === "" ? undefined : from.note.trim();
  return about && { ...about, ...defined({ forMs: LASTS_MS[from.end], note }), ...(isDry && { dry: true }) };
}
