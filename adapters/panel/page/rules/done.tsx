// Done
// The outcome of the last action on rules, and a button that undoes it.
//
//   Owns:          the words, undoing one action.
//   Does not own:  the actions (rules.tsx, writing/form.tsx).
//
// RULES-DONE-1. One press undoes the removal, making or enforcing of a rule. A rule made again has the same terms and
//     the uses that were left, under a new id.

import { useEffect, useRef, useState } from "preact/hooks";
import { defined } from "../../../../machines/defined.ts";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import { refusalOf, remove, send } from "../engine/api.ts";
import { saidOf } from "./terms.ts";

interface Told {
  readonly words: string;
  readonly back?: Back;
}

/** How to undo the action. `step` returns the sentence that is shown once the action is undone. */
interface Back {
  readonly name: string;
  readonly step: () => Promise<string>;
}

export interface Steps {
  readonly told: Told;
  readonly isBusy: boolean;
  /** Takes an action. @returns true if the engine accepted it. */
  readonly take: (step: () => Promise<Told>) => Promise<boolean>;
}

const NOTHING: Told = { words: "" };

/** Takes one action at a time. @param onChange called when rules have changed; ends once the new rules are read. */
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
  // The pressed button may be removed with its row: the focus moves to the button here.
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
          // Ignores the second click of a double click: it was meant for the button that was here before.
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
    words: `${id} ${does}.`,
    back: {
      name: "Undo: remove it",
      async step() {
        await takeAway(rule);
        return `${id} is removed again.`;
      },
    },
  };
}

export async function removeRule(rule: RuleView): Promise<Told> {
  const { id, workspace, engine } = rule;
  await takeAway(rule);
  return {
    words: `${id} is removed. It answers nothing any more.`,
    back: {
      name: "Undo: make it again",
      step: async () => `${(await made(workspace, saidOf(rule), engine)).id} has the terms of ${id}.`,
    },
  };
}

export async function enforceRule(rule: RuleView): Promise<Told> {
  const { id, workspace, engine } = rule;
  await send(`${rulePath(rule)}/enforce`, {}, { workspace, engine });
  return {
    words: `${id} answers approvals from now on.`,
    back: {
      name: "Undo: make it dry again",
      async step() {
        await takeAway(rule);
        const dry = await made(workspace, { ...saidOf(rule), dry: true }, engine);
        return `${dry.id} has the terms of ${id}, is dry, and counts anew.`;
      },
    },
  };
}
