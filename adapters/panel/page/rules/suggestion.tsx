// Suggestion
// One rule that would have answered as people did: what it allows, what speaks for it, how far it reaches. A person takes it.
//
//   Owns:          how it looks, taking it, undoing that.
//   Does not own:  its sentences (told.ts), the rule that is made of it (the engine).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// RULES-SUGGESTION-1. What is taken is the rule that is shown, of the very input its hash. One that is old is not taken.

import { useEffect, useRef, useState } from "preact/hooks";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { Suggestion as Suggested } from "../../../../runtime/reading/suggesting/suggestions.ts";
import { refusalOf, remove, send } from "../engine/api.ts";
import { Failure } from "../parts/failure.tsx";
import { Line, Text } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { aboutOf, counted, endText, furtherOf, trialText } from "./told.ts";

interface Props {
  readonly suggestion: Suggested;
  readonly workspace: string;
  readonly isOld: boolean;
  /** True for a rule that is in force. */
  readonly isRule: (id: string) => boolean;
  /** The rules have changed; over once they are known. */
  readonly onChange: () => Promise<void>;
}

export function Suggestion({ suggestion, workspace, isOld, isRule, onChange }: Props) {
  const { id, rule } = suggestion;
  const [made, make] = useState<RuleView>();
  const [told, tell] = useState("");
  const [failure, fail] = useState("");
  const [isBusy, setBusy] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const taken = made && isRule(made.id) ? made : undefined;
  // The button that was pressed is gone: the keyboard goes on from the one in its place.
  useEffect(() => {
    if (told !== "") first.current?.focus();
  }, [told]);
  const attempt = async (step: () => Promise<string>): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const refused = await refusalOf(step().then(tell));
    fail(refused?.words ?? "");
    setBusy(false);
  };
  const take = (isDry: boolean): Promise<void> =>
    attempt(async () => {
      const body = { workspace, ...bodyOf(rule), ...(isDry && { dry: true }) };
      const { rule: fresh } = await send<{ rule: RuleView }>("/v1/rules", body);
      await onChange();
      make(fresh);
      return isDry
        ? `${fresh.id} counts from now on what it would have answered. It answers nothing until you press Make it answer, above.`
        : `${fresh.id} answers what is asked from now on. It is in the list above.`;
    });
  const undo = ({ id: ruleId }: RuleView): Promise<void> =>
    attempt(async () => {
      await remove(`/v1/rules/${ruleId}`, { workspace });
      await onChange();
      return `${ruleId} is removed.`;
    });
  const titleId = `suggestion-${id}`;
  return (
    <li class="suggestion" aria-labelledby={titleId}>
      <h3 id={titleId}>
        <span class="chip approved">allow</span> <Line text={rule.tool} />
      </h3>
      <pre class="value">
        <Text text={aboutOf(suggestion)} />
      </pre>
      <Facts suggestion={suggestion} />
      {failure !== "" && <Failure>{failure}</Failure>}
      <p role="status">
        {taken && told}
        {!taken && made && `${made.id} is no rule any more.`}
      </p>
      <div class="actions">
        {taken ? (
          <button type="button" ref={first} aria-describedby={titleId} onClick={() => void undo(taken)}>
            Undo
          </button>
        ) : (
          <>
            <button
              type="button"
              class="approve"
              ref={first}
              aria-describedby={titleId}
              aria-disabled={isOld}
              onClick={() => !isOld && void take(false)}
            >
              Take
            </button>
            <button
              type="button"
              aria-describedby={titleId}
              aria-disabled={isOld}
              title="It answers nothing at first, and counts what it would have answered."
              onClick={() => !isOld && void take(true)}
            >
              Take dry
            </button>
          </>
        )}
      </div>
    </li>
  );
}

/** As a body says it: of the very input its hash alone. */
function bodyOf({ match, ...rule }: Suggested["rule"]): object {
  if (!match) return rule;
  return { ...rule, match: match.kind === "exact" ? { kind: "exact", inputHash: match.inputHash } : match };
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

interface FactProps {
  readonly name: string;
  readonly children: preact.ComponentChildren;
}

function Fact({ name, children }: FactProps) {
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
