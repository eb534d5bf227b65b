// Done
// Says how the last action on rules ended, and has a button that undoes that action.
//
//   Owns:          the words about an action's outcome, undoing one action.
//   Does not own:  the actions (rules.tsx, writing/form.tsx).
//
// RULES-DONE-1. One press undoes the last action: removing, making or enforcing a rule. If a removed rule is made again, it has a
//     new id, but the same terms, and the uses that it had left.

import { useEffect, useRef, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import { refusalOf, remove, send } from "../engine/api.ts";
import { saidOf } from "./terms.ts";

interface Told {
  readonly words: string;
  /** How to undo the action. `step` returns the sentence that is shown once the action is undone. */
  readonly back?: { readonly name: string; readonly step: () => Promise<string> };
}

export interface Steps {
  readonly told: Told;
  readonly isBusy: boolean;
  /** Takes an action. @returns true if the engine accepted it. */
  readonly take: (step: () => Promise<Told>) => Promise<boolean>;
}

const NOTHING: Told = { words: "" };

/**
 * Takes one action at a time; while it runs, another is ignored. @param onChange called after each action; its promise resolves
 * once the rules are read anew.
 */
export function useSteps(onChange: () => Promise<void>): Steps {
  const [told, tell] = useState(NOTHING);
  const [isBusy, setBusy] = useState(false);
  const take = async (step: () => Promise<Told>): Promise<boolean> => {
    if (isBusy) return false;
    setBusy(true);
    let next = NOTHING;
    const refused = await refusalOf(step().then((each) => (next = each)));
    await onChange();
    tell(refused ? { words: refused.words } : next);
    setBusy(false);
    return refused === undefined;
  };
  return { told, isBusy, take };
}

export function Done({ told, take }: Steps) {
  const { words, back } = told;
  const button = useRef<HTMLButtonElement>(null);
  // The pressed button may be removed with its row. The focus then moves to the button that undoes the step.
  useEffect(() => {
    if (back && document.activeElement === document.body) button.current?.focus();
  }, [told]);
  return (
    <div class="done actions">
      <p role="status">{words}</p>
      {back && (
        <button
          type="button"
          ref={button}
          // The second click of a double click is ignored: it was meant for the button that was in the same place before.
          onClick={({ detail }) => detail < 2 && void take(async () => ({ words: await back.step() }))}
        >
          {back.name}
        </button>
      )}
    </div>
  );
}

const rulePath = ({ id }: RuleView): string => `/v1/rules/${id}`;
const made = async (workspace: string, said: object, engine?: string): Promise<RuleView> => ({
  ...(await send<{ rule: RuleView }>("/v1/rules", { workspace, ...said }, { engine })).rule,
  ...defined({ engine }),
});
const takeAway = (rule: RuleView): Promise<void> =>
  remove(rulePath(rule), { workspace: rule.workspace, engine: rule.engine });

export async function makeRule(workspace: string, said: object): Promise<Told> {
  const rule = await made(workspace, said);
  const { id, dry } = rule;
  const does =
    dry === true
      ? "counts what it would have answered, and answers nothing"
      : "answers approvals from now on";
  return {
    words: `The rule ${id} ${does}.`,
    back: {
      name: "Undo: remove it",
      async step() {
        await takeAway(rule);
        return `The rule ${id} is removed again.`;
      },
    },
  };
}

export async function removeRule(rule: RuleView): Promise<Told> {
  const { id, workspace, engine } = rule;
  await takeAway(rule);
  return {
    words: `The rule ${id} is removed, and answers nothing any more.`,
    back: {
      name: "Undo: make it again",
      step: async () =>
        `${(await made(workspace, saidOf(rule), engine)).id} is a new rule with the terms of ${id}.`,
    },
  };
}

export async function enforceRule(rule: RuleView): Promise<Told> {
  const { id, workspace, engine } = rule;
  await send(`${rulePath(rule)}/enforce`, {}, { workspace, engine });
  return {
    words: `The rule ${id} answers approvals from now on.`,
    back: {
      name: "Undo: make it dry again",
      async step() {
        await takeAway(rule);
        const dry = await made(workspace, { ...saidOf(rule), dry: true }, engine);
        return `${dry.id} is a new dry rule with the terms of ${id}, and counts anew.`;
      },
    },
  };
}
