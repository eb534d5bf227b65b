// Found
// Says which approvals a drafted rule would have answered, and which answers of people it would have contradicted.
//
//   Owns:          the sentences about a trial's result, how a result looks that is no longer up to date.
//   Does not own:  trying the rule (trying.ts, the engine), the list of approvals (cases.tsx).

import type { RuleEffect } from "../../../../../machines/rules/terms.ts";
import type { Trial } from "../../../../../runtime/reading/rule-trial.ts";
import { Choice } from "../../parts/choice.tsx";
import { Failure } from "../../parts/failure.tsx";
import { Cases } from "../cases.tsx";
import { counted } from "../../parts/counted.ts";
import type { Trying } from "./trying.ts";

interface Props extends Trying {
  readonly workspace: string;
  readonly effect: RuleEffect;
  readonly span: Span;
  readonly chooseSpan: (span: Span) => void;
}

const SPANS = { "7d": "7 days", "30d": "30 days", "90d": "90 days" } as const;
/** How many days of past approvals a rule is tried on. */
export type Span = keyof typeof SPANS;
export const DAYS: Readonly<Record<Span, number>> = { "7d": 7, "30d": 30, "90d": 90 };

export function Found({ workspace, effect, span, chooseSpan, ...trying }: Props) {
  const { trial, refused, isTrying, progress } = trying;
  const past = `the last ${SPANS[span]}`;
  return (
    <div class="found" aria-busy={isTrying}>
      <header class="title-row">
        <h3>What it would have done in the last</h3>
        <Choice label="How far back it is tried" names={SPANS} chosen={span} choose={chooseSpan} />
      </header>
      {refused !== undefined && <Failure>{refused}</Failure>}
      <p role="status">
        {!isTrying && trial ? `${answeredText(trial, effect, past)} ${otherwiseText(trial)}` : ""}
      </p>
      {isTrying && <p class="quiet">{progressText(progress)}</p>}
      {!isTrying && !trial && refused === undefined && (
        <p class="quiet">
          Say what the rule is about, and it is tried on what was asked in {past} as you write.
        </p>
      )}
      {trial && <Told trial={trial} workspace={workspace} />}
    </div>
  );
}

interface ToldProps {
  readonly trial: Trial;
  readonly workspace: string;
}

function Told({ trial: { items, unasked }, workspace }: ToldProps) {
  const otherwise = items.filter(({ differs }) => differs);
  const alike = items.filter(({ differs }) => !differs);
  const stopped = unasked ? unasked.deny + unasked.ask : 0;
  return (
    <>
      {otherwise.length > 0 && (
        <section class="otherwise" aria-label="Answered otherwise">
          <Cases workspace={workspace} cases={otherwise} />
        </section>
      )}
      {unasked && stopped > 0 && (
        <p>
          Of {counted(unasked.calls, "call")} that nobody was asked about it would also have stopped{" "}
          {stopped.toLocaleString()}, if the client asked about all calls.
        </p>
      )}
      {alike.length > 0 && (
        <details>
          <summary>The newest others that it would have answered</summary>
          <Cases workspace={workspace} cases={alike} />
        </details>
      )}
    </>
  );
}

const DONE: Readonly<Record<RuleEffect, string>> = {
  allow: "allowed",
  ask: "left to a person",
  deny: "denied",
};

function answeredText({ asked, more, ...done }: Trial, effect: RuleEffect, span: string): string {
  if (asked === 0) return `No approval was requested in ${span}, so there is nothing to try the rule on.`;
  const of = `${more ? "the newest " : ""}${counted(asked, "call")} asked about in ${span}`;
  return `Of ${of}, the rule would have ${DONE[effect]} ${done[effect].toLocaleString()}.`;
}

function otherwiseText({ asked, allow, deny, differing }: Trial): string {
  if (asked === 0 || allow + deny === 0) return "";
  return differing === 0
    ? "No person answered otherwise."
    : `People answered otherwise ${counted(differing, "time")}:`;
}

/** The progress of a trial, shown only if the trial takes long enough for a person to read it. */
function progressText(progress: Trying["progress"]): string {
  if (!progress || progress.looked === 0) return "Trying it…";
  return `Trying it: ${progress.looked.toLocaleString()} of ${progress.of.toLocaleString()} looked at…`;
}
