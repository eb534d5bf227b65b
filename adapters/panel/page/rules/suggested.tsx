// Suggested
// Suggests rules that would have answered as people did. A person starts the search for such rules, and can make each of them.
//
//   Owns:          choosing the days to search, the list of suggestions.
//   Does not own:  choosing the workspace (workspaces.ts), the search (looking.ts), how one suggestion looks (suggestion.tsx).

import { useRef, useState } from "preact/hooks";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { Suggestions } from "../../../../runtime/reading/suggesting/suggestions.ts";
import { visible } from "../../../../runtime/text/visible.ts";
import { Choice, Select } from "../parts/choice.tsx";
import { Failure } from "../parts/failure.tsx";
import { Line } from "../parts/text.tsx";
import { Lasting } from "../parts/time.tsx";
import { type Looking, type Search, useLooking } from "./looking.ts";
import { Suggestion } from "./suggestion.tsx";
import { counted } from "../parts/counted.ts";
import type { Workspaces } from "./workspaces.ts";

const DAY_MS = 86_400_000;
const SPANS = { "7d": "last 7 days", "30d": "last 30 days", all: "everything stored" } as const;
type Span = keyof typeof SPANS;
const DAYS: Readonly<Record<Span, number | undefined>> = { "7d": 7, "30d": 30, all: undefined };

interface Props {
  readonly rules: readonly RuleView[];
  readonly workspaces: Workspaces;
  /** True if more rules may be in force than `rules` contains. */
  readonly isCut: boolean;
  /** Called when rules have changed; its promise resolves once the new rules are read. */
  readonly onChange: () => Promise<void>;
}

export function Suggested({ rules, workspaces, isCut, onChange }: Props) {
  const [span, chooseSpan] = useState<Span>("all");
  const search = useLooking();
  const { looking } = search;
  const isLooking = looking.is === "looking";
  return (
    <section class="suggested" aria-labelledby="suggested-title" aria-busy={isLooking}>
      <h2 id="suggested-title">Suggested rules</h2>
      <p class="quiet">
        Rules that would have answered as people did, once they have allowed the same call five times in two
        sessions; found without a model. Nothing changes until you take one. Taken dry, it only counts at
        first.
      </p>
      <Form workspaces={workspaces} span={span} onSpan={chooseSpan} {...search} />
      <p>
        <span role="status">{stateText(looking, span)}</span>{" "}
        {isLooking && (
          <span class="quiet" aria-hidden="true">
            <Lasting from={looking.from} />
          </span>
        )}
      </p>
      {looking.is === "refused" && <Failure>{looking.words}</Failure>}
      {looking.is === "found" && looking.isOld && looking.found.items.length > 0 && (
        <Failure>
          Since then somebody denied a call in <Line text={looking.workspace} />, or this page missed changes.
          Look again before you take one.
        </Failure>
      )}
      {looking.is === "found" && (
        <ul>
          {looking.found.items.map((each) => (
            <Suggestion
              key={`${looking.workspace} ${each.id}`}
              suggestion={each}
              workspace={looking.workspace}
              isOld={looking.isOld}
              isRule={(id) => isCut || rules.some((rule) => rule.id === id)}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

interface FormProps extends Search {
  readonly workspaces: Workspaces;
  readonly span: Span;
  readonly onSpan: (span: Span) => void;
}

function Form({ workspaces, span, onSpan, looking, look, stop }: FormProps) {
  const { names, chosen: workspace, choose } = workspaces;
  const start = useRef<HTMLButtonElement>(null);
  const isLooking = looking.is === "looking";
  const days = DAYS[span];
  const begin = (event: Event): void => {
    event.preventDefault();
    if (!isLooking) void look(workspace, days && Date.now() - days * DAY_MS);
  };
  const end = (): void => {
    stop();
    start.current?.focus();
  };
  return (
    <form class="actions" onSubmit={begin}>
      <Select label="Workspace" names={names} chosen={workspace} choose={choose} />
      <Choice label="How far back" names={SPANS} chosen={span} choose={onSpan} />
      <button type="submit" ref={start} aria-disabled={isLooking}>
        Look for rules
      </button>
      {isLooking && (
        <button type="button" onClick={end}>
          Stop
        </button>
      )}
    </form>
  );
}

function stateText(looking: Looking, span: Span): string {
  switch (looking.is) {
    case "none":
    case "refused":
      return "";
    case "stopped":
      return "The search for rules was stopped. Nothing was changed.";
    case "looking":
      return `Reading the history of ${visible(looking.workspace)}…`;
    case "found":
      return foundText(looking.found, visible(looking.workspace), span);
  }
}

function foundText({ items, more }: Suggestions, workspace: string, span: Span): string {
  if (items.length === 0) {
    const next = `${span === "all" ? "Answer" : "Look further back, or answer"} more approvals, then look again.`;
    return `No rule is suggested for ${workspace}: fewer than five answers of two sessions agree, or rules answer them already. ${next}`;
  }
  const learnt = more ? " Only the newest 100,000 answers were read." : "";
  return `${counted(items.length, "rule")} for ${workspace}, what saves the most approvals first.${learnt}`;
}
