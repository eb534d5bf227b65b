// Rule form
// The form that makes a rule from an approval: the rule allows calls like this one for a chosen time and number of uses.
//
//   Owns:          the fields of the form that makes a rule, trying the rule on past approvals.
//   Does not own:  which calls a rule allows (the engine), answering the approval itself (choice.ts).
//
// RULE-FORM-1. The form makes the rule, and then approves the approval itself: a rule answers only approvals that are requested
//     after the rule was made. If the rule is dry, the form does not approve: the approval stays pending.
// RULE-FORM-2. If a person chooses a second approval while the engine makes the rule, the second approval stays chosen, and the
//     form does not answer it.
// RULE-FORM-3. The rule is made at the engine that has the approval. (checked by review: both requests name that engine)
// RULE-FORM-4. However often a person presses the button before the engine replies, the form makes one rule.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { defined } from "../../../../../machines/defined.ts";
import { SHELL } from "../../../../../machines/rules/terms.ts";
import type { Trial } from "../../../../../runtime/reading/rule-trial.ts";
import { useAsked } from "../../engine/asked.ts";
import { refusalOf, send } from "../../engine/api.ts";
import { sessionOf } from "../../engine/engine.ts";
import { Select } from "../../parts/choice.tsx";
import { Failure } from "../../parts/failure.tsx";
import { hrefOf } from "../../route.ts";
import type { Card, WholeProps } from "../card/card.ts";
import { likenessesOf, type Likeness } from "../bulk/likeness.ts";
import { isOpen } from "../model.ts";
import { see, untilSeen } from "../seen/eye.ts";
import type { Seen } from "../seen/seen.ts";

const HOUR_MS = 3_600_000;
const TIMES: readonly (readonly [label: string, ms: number | undefined])[] = [
  ["for an hour", HOUR_MS],
  ["for 8 hours", 8 * HOUR_MS],
  ["for a week", 7 * 24 * HOUR_MS],
  ["with no end", undefined],
];
const USES: readonly (readonly [label: string, uses: number | undefined])[] = [
  ["any number of times", undefined],
  ["once", 1],
  ["5 times", 5],
  ["20 times", 20],
];
type Scope = "session" | "project" | "always";
const STILL_ASKED =
  "The rule does not allow options that write files or run programs, or files that run later, unless it names them.";

interface Wanted {
  readonly which: number;
  readonly text: string;
  readonly scope: Scope;
  readonly time: number;
  readonly uses: number;
  /** True for a dry rule, which answers nothing: the approval must still be answered. */
  readonly isDry: boolean;
}

type FormProps = Pick<WholeProps, "card" | "isSettling" | "onReply"> & { readonly onClose: () => void };

export function RuleForm({ card, isSettling, onReply, onClose }: FormProps) {
  const { workspace, sessionId, engine } = card.approval;
  const isAsked = isOpen(card);
  const known = asRulesKnow(card.approval);
  const choices = likenessesOf(known.tool, known.input);
  const [wanted, want] = useState<Wanted>({
    ...{ which: 0, text: choices.at(-1)?.text ?? "" },
    ...{ scope: "session", time: 0, uses: 0, isDry: false },
  });
  const [told, tell] = useState<string>();
  const project = useAsked([workspace, sessionId], () => sessionOf(workspace, sessionId))?.cwd;
  const form = useInSight();
  const terms = termsOf(card.approval, choices, wanted, project);

  const attempt = async (step: () => Promise<void>): Promise<void> => {
    const refused = await refusalOf(step());
    if (refused) tell(refused.words);
  };
  const made = useRef<Promise<void>>(undefined);
  const make = (seen: Seen): Promise<void> =>
    attempt(async () => {
      await send("/v1/rules", { workspace, ...terms }, { engine });
      onClose();
      if (!wanted.isDry) onReply(seen, { decision: "approve" }, false);
    });
  const tryOut = (): Promise<void> =>
    attempt(async () => {
      tell(wordsOf(await send<Trial>("/v1/rules/test", { workspace, rule: terms }, { engine })));
    });

  return (
    <form
      ref={form}
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        const seen = see(card, event);
        if (isAsked && seen?.isWhole) made.current ??= make(seen).finally(() => (made.current = undefined));
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Escape closes only the form, not also the view behind it.
        event.stopPropagation();
        onClose();
      }}
    >
      <Fields
        choices={choices}
        wanted={wanted}
        workspace={workspace}
        project={project}
        onWant={(part) => want({ ...wanted, ...part })}
      />
      {!isAsked && <Failure>It needs no answer any more: no rule is made of it.</Failure>}
      {told !== undefined && <p role="status">{told}</p>}
      <div class="actions">
        <button type="submit" class="approve" disabled={!isAsked} {...untilSeen(isAsked && isSettling)}>
          {wanted.isDry ? "Make the dry rule" : "Make the rule and approve"}
        </button>
        <button type="button" onClick={() => void tryOut()}>
          Try it on what was asked before
        </button>
        <button type="button" onClick={onClose}>
          Back
        </button>
        <a href={hrefOf({ view: "rules" })}>All rules</a>
      </div>
    </form>
  );
}

function useInSight(): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.parentElement?.scrollIntoView({ block: "nearest" });
    form.current?.querySelector("select")?.focus({ preventScroll: true });
  }, []);
  return form;
}

function wordsOf({ asked, allow, differing, limited }: Trial): string {
  const more = limited > 0 ? ` Its uses or its end kept it from ${limited} more.` : "";
  return `Of ${asked} approvals it would have allowed ${allow}; people denied ${differing} of these.${more}`;
}

/** The tool and input by which rules know a call: for rules, all agents' shell commands are calls of one tool. */
function asRulesKnow(approval: Card["approval"]): { readonly tool: string; readonly input: unknown } {
  const { tool, shell, input } = approval;
  return shell?.command === undefined ? { tool, input } : { tool: SHELL, input: { command: shell.command } };
}

function termsOf(
  approval: Card["approval"],
  choices: readonly Likeness[],
  { which, text, scope, time, uses, isDry }: Wanted,
  project: string | undefined,
): object {
  const { sessionId: session, inputHash = "" } = approval;
  const kind = choices[which]?.kind ?? "exact";
  const [forMs, most] = [TIMES[time]?.[1], USES[uses]?.[1]];
  return {
    effect: "allow",
    tool: kind === "exact" ? approval.tool : asRulesKnow(approval).tool,
    match: kind === "exact" ? { kind, inputHash } : { kind, text },
    ...(scope === "session" && { session }),
    ...(scope === "project" && project !== undefined && { project }),
    ...defined({ forMs, uses: most }),
    ...(isDry && { dry: true }),
  };
}

interface FieldsProps {
  readonly choices: readonly Likeness[];
  readonly wanted: Wanted;
  readonly workspace: string;
  /** The folder in which the session was started; undefined until it is known. */
  readonly project: string | undefined;
  readonly onWant: (part: Partial<Wanted>) => void;
}

function Fields({ choices, wanted, workspace, project, onWant }: FieldsProps) {
  const { which, text, scope, time, uses, isDry } = wanted;
  return (
    <>
      <Select
        label="Allow"
        names={byPlace(choices.map(({ label }) => label))}
        chosen={`${which}`}
        choose={(each) => onWant({ which: Number(each) })}
      />
      {choices[which]?.kind === "prefix" && (
        <label>
          It begins with
          <input
            class="code"
            value={text}
            spellcheck={false}
            onInput={(event) => onWant({ text: event.currentTarget.value })}
          />
          <small>{STILL_ASKED}</small>
        </label>
      )}
      <label>
        Where
        <select value={scope} onChange={(event) => onWant({ scope: event.currentTarget.value as Scope })}>
          <option value="session">in this session</option>
          {project !== undefined && <option value="project">in this project, {project}</option>}
          <option value="always">always, in {workspace}</option>
        </select>
      </label>
      <Select
        label="How long"
        names={byPlace(TIMES.map(([label]) => label))}
        chosen={`${time}`}
        choose={(each) => onWant({ time: Number(each) })}
      />
      <Select
        label="How often"
        names={byPlace(USES.map(([label]) => label))}
        chosen={`${uses}`}
        choose={(each) => onWant({ uses: Number(each) })}
      />
      <label>
        <input
          type="checkbox"
          checked={isDry}
          onChange={(event) => onWant({ isDry: event.currentTarget.checked })}
        />{" "}
        Only count at first (dry): people still answer
      </label>
    </>
  );
}

/** The names of a choice, each under its index in the list: the chosen value is such an index. */
const byPlace = (labels: readonly string[]) => Object.fromEntries(labels.entries());
