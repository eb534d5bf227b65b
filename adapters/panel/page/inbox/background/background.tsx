// Background
// The background of the chosen approval: what the agent said and did before, and how the same call was answered before.
//
//   Owns:          the wording and the lists of the background.
//   Does not own:  reading it (before.ts), which calls a denial ends (card/consequence.tsx), when it is shown
//                  (behind.tsx).

import type { RuleTerms } from "../../../../../machines/rules/terms.ts";
import type { Precedents } from "../../../../../runtime/reading/precedents/precedents.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
import { oneLine } from "../../../../../runtime/text/visible.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";
import { draft, draftFrom } from "../../rules/writing/draft.ts";
import { me, useMay } from "../../engine/me.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { Line } from "../../parts/text.tsx";
import { go, keepFilter } from "../../route.ts";
import { Since } from "../../parts/time.tsx";
import { labelOf, meaningOf } from "../../parts/words.ts";
import { useLinger } from "../card/batch.ts";
import type { Card } from "../card/card.ts";
import { useCallsBefore, useSaid } from "./before.ts";
import { answeredText, lookedText, ruleText } from "./told.ts";

const SAID_WIDTH_MAX = 280;

export function Background({ card }: { readonly card: Card }) {
  const isAway = card.approval.lastSeenAt !== undefined;
  const isRead = useLinger() && !isAway;
  const said = useSaid(card, isRead);
  const calls = useCallsBefore(card, isRead);
  const precedents = usePrecedents(card, isRead);
  if (isAway) return <p class="quiet">Not known while its engine is away.</p>;
  return (
    <>
      {precedents && <Answered precedents={precedents} workspace={card.approval.workspace} />}
      {(said ?? []).length > 0 && (
        <section aria-label="Said before">
          <h3>Said before</h3>
          {said?.map((text, n) => (
            <p key={n}>
              <Line text={oneLine(text, SAID_WIDTH_MAX)} />
            </p>
          ))}
        </section>
      )}
      {calls && (
        <section aria-label="Calls before">
          <h3>Calls before</h3>
          {calls.length === 0 ? <p>None: it is the first of its session.</p> : <Calls calls={calls} />}
        </section>
      )}
    </>
  );
}

const usePrecedents = ({ approval: { workspace, id } }: Card, isRead: boolean): Precedents | undefined =>
  useAsked([workspace, id, isRead], (signal) =>
    isRead ? ask<Precedents>(`/v1/approvals/${id}/precedents`, { workspace }, signal) : undefined,
  );

interface AnsweredProps {
  readonly precedents: Precedents;
  readonly workspace: string;
}

function Answered({ precedents, workspace }: AnsweredProps) {
  const { allowed, denied, byRules, lastAt, rule } = precedents;
  const isKnown = allowed + denied + byRules > 0;
  return (
    <section aria-label="The same call before">
      <h3>The same call before</h3>
      <p>
        {isKnown ? <Line text={answeredText(precedents, me.get()?.name)} /> : "Not answered before."}
        {lastAt !== undefined && (
          <>
            {" The last one "}
            <Since at={lastAt} /> ago.
          </>
        )}
      </p>
      {rule && (
        <p>
          <Line text={ruleText(rule)} /> <Write terms={rule.terms} workspace={workspace} />
        </p>
      )}
      <p class="quiet">{lookedText(precedents)}</p>
    </section>
  );
}

interface WriteProps {
  readonly terms: RuleTerms;
  readonly workspace: string;
}

/** Opens the form for rules, filled with the rule. */
function Write({ terms, workspace }: WriteProps) {
  const filled = draftFrom(terms);
  if (!useMay("manage") || !filled) return null;
  return (
    <button
      type="button"
      onClick={() => {
        draft.set(filled);
        go({ view: "rules" });
        keepFilter("workspace", workspace);
      }}
    >
      Write this rule…
    </button>
  );
}

function Calls({ calls }: { readonly calls: readonly CallView[] }) {
  return (
    <ol>
      {calls.map((call) => {
        const state = isWaiting(call) ? "waiting" : call.execution;
        return (
          <li key={call.id}>
            <span class={`chip ${state}`} title={meaningOf(call)}>
              {labelOf(state)}
            </span>{" "}
            <span class="one-line">
              <Line text={call.tool} />{" "}
              <span class="gist">
                <Line text={gistOf((call as { input?: unknown }).input, call.tool)} />
              </span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const isWaiting = ({ approval, closedAt }: CallView): boolean =>
  closedAt === undefined && approval?.state === "pending";
