// Background
// The background of the chosen approval: what the agent said and did before, and how equal calls were answered before.
//
//   Owns:          the wording and the lists of the background.
//   Does not own:  reading words and calls (before.ts), figures (runtime/reading/precedents), when it unfolds (behind.tsx).

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

const SAID_WIDTH_MAX = 280;

export function Background({ card }: { readonly card: Card }) {
  const isAway = card.approval.lastSeenAt !== undefined;
  const isRead = useLinger() && !isAway;
  const said = useSaid(card, isRead);
  const calls = useCallsBefore(card, isRead);
  const { workspace, id } = card.approval;
  const precedents = useAsked([workspace, id, isRead], (signal) =>
    isRead ? ask<Precedents>(`/v1/approvals/${id}/precedents`, { workspace }, signal) : undefined,
  );
  if (isAway) return <p class="quiet">Not known while its engine is away.</p>;
  return (
    <>
      {precedents && <Answered precedents={precedents} card={card} />}
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

function Answered({ precedents, card }: { readonly precedents: Precedents; readonly card: Card }) {
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
          <Line text={ruleText(rule)} /> <Write terms={rule.terms} workspace={card.approval.workspace} />
        </p>
      )}
      <p class="quiet">{lookedText(precedents)}</p>
    </section>
  );
}

/** A button that opens the form for rules, filled in with these terms. */
function Write({ terms, workspace }: { readonly terms: RuleTerms; readonly workspace: string }) {
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
                <Line text={gistOf(call.input, call.tool)} />
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

const times = (count: number): string => (count === 1 ? "once" : `${count.toLocaleString()} times`);

/** @param mine the reader's own name. */
function answeredText({ allowed, denied, byRules, by }: Precedents, mine?: string): string {
  const rules = byRules === 0 ? "" : ` Rules or models answered it ${times(byRules)}.`;
  if (allowed + denied === 0) return `No person has answered it.${rules}`;
  const parts =
    denied === 0
      ? [`Allowed ${times(allowed)}`, "never denied"]
      : allowed === 0
        ? [`Denied ${times(denied)}`, "never allowed"]
        : [`Allowed ${times(allowed)}`, `denied ${times(denied)}`];
  const isOne = by.length === 1;
  const names = by.map(({ name, ...of }) => {
    const who = name === mine ? "you" : name === "" ? "somebody at the agent's own dialog" : name;
    return isOne ? who : `${who} (${of.allowed + of.denied})`;
  });
  return `${parts.join(", ")}: by ${names.join(", ")}.${rules}`;
}

function lookedText({ looked, more }: Precedents): string {
  const answers = `${looked.toLocaleString()} ${looked === 1 ? "answer" : "answers"}`;
  const among = more ? `the newest ${answers} of the workspace` : `the workspace's ${answers}`;
  return `Counted in this folder, among ${among}.`;
}

function ruleText({ terms: { tool, match }, allow }: NonNullable<Precedents["rule"]>): string {
  const about = !match
    ? ""
    : match.kind === "exact"
      ? " with this very input"
      : ` ${match.kind === "prefix" ? "that begins with " : ""}“${match.text}”`;
  return `A rule to allow ${tool}${about} here would have given ${allow.toLocaleString()} of these answers, and no other one.`;
}
