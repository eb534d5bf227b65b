// Suggestion
// Shows one suggested rule: what it would allow, what speaks for it, how far it reaches. A button makes the rule.
//
//   Owns:          how a suggested rule looks, the sentences about it.
//   Does not own:  making the rule (taking.ts), counting the figures (the engine).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// RULES-SUGGESTION-1. No rule can be made from a suggestion that is marked as old, because somebody has since denied a call in
//     its workspace, or because the page has missed changes (RULES-LOOKING-2).

import { useEffect, useRef } from "preact/hooks";
import type { Suggestion as Suggested } from "../../../../runtime/reading/suggesting/suggestions.ts";
import { counted } from "../parts/counted.ts";
import { Failure } from "../parts/failure.tsx";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { type Surroundings, type Taking, useTaking } from "./taking.ts";

const DAY_MS = 86_400_000;

interface Props extends Surroundings {
  readonly suggestion: Suggested;
  readonly isOld: boolean;
}

export function Suggestion({ suggestion, isOld, ...surroundings }: Props) {
  const taking = useTaking(suggestion, surroundings);
  const titleId = `suggestion-${suggestion.id}`;
  return (
    <li class="suggestion tile" aria-labelledby={titleId}>
      <h3 id={titleId}>
        <span class="chip approved">allow</span> <Line text={suggestion.rule.tool} />
      </h3>
      <pre class="value">
        <Text text={aboutOf(suggestion)} />
      </pre>
      <Facts suggestion={suggestion} />
      {taking.failure !== "" && <Failure>{taking.failure}</Failure>}
      <p role="status">{taking.told}</p>
      <Buttons {...taking} isOld={isOld} titleId={titleId} />
    </li>
  );
}

interface ButtonsProps extends Taking {
  readonly isOld: boolean;
  readonly titleId: string;
}

function Buttons({ taken, told, take, undo, isOld, titleId }: ButtonsProps) {
  const first = useRef<HTMLButtonElement>(null);
  // The pressed button is removed. The focus moves to the button that takes its place.
  useEffect(() => {
    if (told !== "" && document.activeElement === document.body) first.current?.focus();
  }, [told]);
  if (taken)
    return (
      <div class="actions">
        <button
          type="button"
          ref={first}
          aria-describedby={titleId}
          // The second click of a double click is ignored: it was meant for the button that was in the same place before.
          onClick={({ detail }) => detail < 2 && void undo()}
        >
          Undo
        </button>
      </div>
    );
  const common = { type: "button", "aria-describedby": titleId, "aria-disabled": isOld } as const;
  return (
    <div class="actions">
      <button {...common} class="approve" ref={first} onClick={() => !isOld && void take(false)}>
        Take
      </button>
      <button
        {...common}
        title="At first the rule answers nothing, and counts what it would have answered."
        onClick={() => !isOld && void take(true)}
      >
        Take dry
      </button>
    </div>
  );
}

function Facts({ suggestion }: { readonly suggestion: Suggested }) {
  const { rule, evidence, trial } = suggestion;
  const { answers, by, sessions, first, last, examples, different } = evidence;
  const further = furtherOf(suggestion);
  return (
    <dl class="fields">
      <Fact name="Only">
        {rule.project !== undefined && (
          <>
            in <Line text={rule.project} />,{" "}
          </>
        )}
        calls without a risk’s mark
      </Fact>
      <Fact name="People allowed it">
        {counted(answers, "time")} in {counted(sessions, "session")}, and never denied one like it:{" "}
        {by.map(({ name, answers: own }, n) => (
          <span key={name}>
            {n > 0 && ", "}
            <Line text={name} /> {own.toLocaleString()}
          </span>
        ))}
        . Since {new Date(first).toLocaleDateString()}, last <Since at={last} /> ago.
      </Fact>
      {different > 1 && (
        <Fact name={`Such as, of ${counted(different, "call")}`}>
          <Calls calls={examples} />
        </Fact>
      )}
      <Fact name="Tried on history">{trialText(trial)}</Fact>
      <Fact name="Would also allow">
        {further.length === 0 ? "nothing else: this very call alone" : <Calls calls={further} />}
      </Fact>
      <Fact name="Ends">{endText(rule)}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Calls({ calls }: { readonly calls: readonly string[] }) {
  return (
    <ul>
      {calls.map((each) => (
        <li key={each}>
          <code>
            <Line text={each} />
          </code>
        </li>
      ))}
    </ul>
  );
}

function trialText({ asked, allow, differing, more, days }: Suggested["trial"]): string {
  const of = `${more ? "the newest " : ""}${counted(asked, "approval")}`;
  const saved = `The rule would have answered ${allow.toLocaleString()} of ${of}${perDay(days)}.`;
  return `${saved} ${differing === 0 ? "No person answered otherwise" : `People answered otherwise ${counted(differing, "time")}`}.`;
}

/** Says how many approvals a day the rule would have answered. Days without an approval do not count. */
function perDay(days: Suggested["trial"]["days"]): string {
  if (days.length === 0) return "";
  const sum = (name: "asked" | "answered"): number => days.reduce((all, day) => all + day[name], 0);
  const mean = (name: "asked" | "answered"): string =>
    (sum(name) / days.length).toLocaleString(undefined, { maximumFractionDigits: 1 });
  return `: ${mean("answered")} of ${mean("asked")} a day`;
}

/** The text that the rule matches. A rule for one exact input has only its hash, so an example shows that input. */
function aboutOf({ rule: { match }, evidence }: Suggested): string {
  return match && match.kind !== "exact" ? match.text : (evidence.examples[0] ?? "");
}

/** Calls that show how far the rule reaches, without the call that the rule itself names. */
const furtherOf = (suggestion: Suggested): readonly string[] =>
  suggestion.width.filter((each) => each !== aboutOf(suggestion));

const endText = ({ forMs }: Suggested["rule"]): string =>
  `${counted(Math.round(forMs / DAY_MS), "day")} after you take the rule.`;
