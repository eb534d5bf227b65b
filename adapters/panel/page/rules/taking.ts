// Taking
// Makes a rule from a suggestion, and undoes the making on request.
//
//   Owns:          doing one action at a time, the outcome of the last action.
//   Does not own:  what the rule does (the engine), the buttons (suggestion.tsx).
//
// RULES-TAKING-1. The rule that is made is exactly the suggested rule that was shown. If the suggested rule is about one exact
//     input, the request names that input by its hash. A person can undo the making.

import { useState } from "preact/hooks";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { Suggestion } from "../../../../runtime/reading/suggesting/suggestions.ts";
import { refusalOf, remove, send } from "../engine/api.ts";
import { matchSaid } from "./terms.ts";

export interface Surroundings {
  readonly workspace: string;
  /** True if a rule with this id is in force, as far as the page knows. */
  readonly isRule: (id: string) => boolean;
  /** Called when rules have changed; its promise resolves once the new rules are read. */
  readonly onChange: () => Promise<void>;
}

export type Taking = ReturnType<typeof useTaking>;

export function useTaking({ rule }: Suggestion, { workspace, isRule, onChange }: Surroundings) {
  const [made, make] = useState<RuleView>();
  const [failure, fail] = useState("");
  const [isBusy, setBusy] = useState(false);
  const taken = made && isRule(made.id) ? made : undefined;
  const attempt = async (step: () => Promise<void>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const refused = await refusalOf(step());
    fail(refused?.words ?? "");
    setBusy(false);
  };
  const take = (isDry: boolean): Promise<void> =>
    attempt(async () => {
      const { match, ...said } = rule;
      const body = { workspace, ...said, ...matchSaid(match), ...(isDry && { dry: true }) };
      const { rule: fresh } = await send<{ rule: RuleView }>("/v1/rules", body);
      await onChange();
      make(fresh);
    });
  const undo = (): Promise<void> =>
    attempt(async () => {
      if (taken) await remove(`/v1/rules/${taken.id}`, { workspace });
      await onChange();
    });
  return { taken, told: made ? toldOf(made, taken !== undefined) : "", failure, take, undo };
}

function toldOf({ id, dry }: RuleView, isInForce: boolean): string {
  if (!isInForce) return `The rule ${id} is removed again.`;
  return dry === true
    ? `The rule ${id} counts from now on what it would have answered. It answers nothing until you press Make it answer, above.`
    : `The rule ${id} answers approvals from now on. It is in the list above.`;
}
