// Suggested
// Rules that would have answered as people did: looked for when somebody asks, with what speaks for each, and taken here.
//
//   Owns:          which workspace, how far back, the list.
//   Does not own:  the search (looking.ts), one suggestion (suggestion.tsx), the rules in force (rules.tsx).

import { useEffect, useRef, useState } from "preact/hooks";
import type { RuleView } from "../../../../runtime/reading/rules.ts";
import type { SessionView } from "../../../../runtime/rows/views.ts";
import { ask } from "../engine/api.ts";
import { Choice } from "../parts/choice.tsx";
import { Failure } from "../parts/failure.tsx";
import { Line } from "../parts/text.tsx";
import { Lasting } from "../parts/time.tsx";
import { filterNamed, keepFilter } from "../route.ts";
import { type Looking, useLooking } from "./looking.ts";
import { Suggestion } from "./suggestion.tsx";
import { counted } from "./told.ts";

const DAY_MS = 86_400_000;
const SPANS = { "7d": "last 7 days", "30d": "last 30 days", all: "all that is kept" } as const;
type Span = keyof typeof SPANS;
const DAYS: Readonly<Record<Span, number | undefined>> = { "7d": 7, "30d": 30, all: undefined };

/** So many of the newest sessions say which workspaces there are. */
const SESSIONS_MAX = 200;
const FILTER = "workspace";

interface Props {
  readonly rules: readonly RuleView[];
  /** The rules have changed; over once they are known. */
  readonly onChange: () => Promise<void>;
}

export function Suggested({ rules, onChange }: Props) {
  const known = useWorkspaces(rules);
  const [chosen, choose] = useState(() => filterNamed(FILTER));
  const [span, chooseSpan] = useState<Span>("all");
  const { looking, look, stop } = useLooking();
  const start = useRef<HTMLButtonElement>(null);
  const isLooking = looking.is === "looking";
  const offered = chosen === "" || known.includes(chosen) ? known : [chosen, ...known];
  const [workspace] = chosen === "" ? offered : [chosen];
  const days = DAYS[span];
  return (
    <section class="suggested" aria-labelledby="suggested-title" aria-busy={isLooking}>
      <h2 id="suggested-title">Suggested rules</h2>
      <p class="quiet">
        Found in what people answered, without a model: rules that would have answered as they did. Nothing
        changes until you take one. Taken dry, it only counts at first.
      </p>
      {workspace === undefined ? (
        <p>
          No session is known yet. Once people have answered the same question five times in two sessions, a
          rule can be suggested.
        </p>
      ) : (
        <form
          class="actions"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isLooking) void look(workspace, days && Date.now() - days * DAY_MS);
          }}
        >
          <label>
            Workspace{" "}
            <select
              value={workspace}
              onChange={({ currentTarget: { value } }) => {
                keepFilter(FILTER, value);
                choose(value);
              }}
            >
              {offered.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </select>
          </label>
          <Choice label="How far back" names={SPANS} chosen={span} choose={chooseSpan} />
          <button type="submit" ref={start} aria-disabled={isLooking}>
            Look for rules
          </button>
          {isLooking && (
            <button
              type="button"
              onClick={() => {
                stop();
                start.current?.focus();
              }}
            >
              Stop
            </button>
          )}
        </form>
      )}
      <p role="status">{stateText(looking, days)}</p>
      {isLooking && (
        <p class="quiet" aria-hidden="true">
          <Lasting from={looking.from} />
        </p>
      )}
      {looking.is === "refused" && <Failure>{looking.words}</Failure>}
      {looking.is === "found" && looking.isOld && looking.found.items.length > 0 && (
        <Failure>
          Since then somebody denied a call in <Line text={looking.workspace} />. Look again before you take
          one.
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
              isRule={(id) => rules.some((rule) => rule.id === id)}
              onChange={onChange}
            />
          ))}
        </ul>
      )}
    </section>
  );
}

function stateText(looking: Looking, days: number | undefined): string {
  switch (looking.is) {
    case "none":
    case "refused":
      return "";
    case "stopped":
      return "Stopped. Nothing was changed.";
    case "looking":
      return `Reading the history of ${looking.workspace}…`;
    case "found":
      return foundText(looking.found.items.length, looking.found.more, looking.workspace, days);
  }
}

function foundText(count: number, more: boolean, workspace: string, days: number | undefined): string {
  if (count === 0)
    return `No rule is suggested for ${workspace}: fewer than five answers of two sessions agree, or rules answer them already. ${days === undefined ? "Answer on, and look again." : "Look further back, or answer on and look again."}`;
  const learnt = more ? " Only the newest 100,000 answers were read." : "";
  return `${counted(count, "rule")} for ${workspace}, what saves the most questions first.${learnt}`;
}

/** Those that are known by a session or a rule; that of the newest session first. */
function useWorkspaces(rules: readonly RuleView[]): readonly string[] {
  const [sessions, know] = useState<readonly SessionView[]>([]);
  useEffect(() => {
    ask<{ items: readonly SessionView[] }>("/v1/sessions", { limit: SESSIONS_MAX }).then(
      ({ items }) => know(items),
      () => undefined,
    );
  }, []);
  return [...new Set([...sessions, ...rules].map(({ workspace }) => workspace))];
}
