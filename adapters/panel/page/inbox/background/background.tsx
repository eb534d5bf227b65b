// Background
// The background of the chosen approval: what the agent said and did before, and how equal calls were answered before.
//
//   Owns:          the wording and the lists of the background, which words and calls are read, and how many are shown.
//   Does not own:  counting earlier answers (runtime/reading/precedents), when the background is shown (behind.tsx), the
//                  conversation (session/).
//
// BACKGROUND-1. If it is known which call an approval is about, the background shows nothing that came after that call.

import type { RuleTerms } from "../../../../../machines/rules/terms.ts";
import type { Conversation } from "../../../../../runtime/reading/conversation.ts";
import type { Page } from "../../../../../runtime/reading/paging.ts";
import type { Precedents } from "../../../../../runtime/reading/precedents/precedents.ts";
import type { CallView } from "../../../../../runtime/rows/views.ts";
import { oneLine } from "../../../../../runtime/text/visible.ts";
import { useAsked } from "../../engine/asked.ts";
import { ask } from "../../engine/api.ts";
import { draft, draftFrom } from "../../rules/writing/draft.ts";
import { me, useMay } from "../../engine/me.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { counted } from "../../parts/counted.ts";
import { Line } from "../../parts/text.tsx";
import { go, keepFilter } from "../../route.ts";
import { Since } from "../../parts/time.tsx";
import { labelOf, meaningOf } from "../../parts/words.ts";
import { useLinger } from "../card/batch.ts";
import type { Card } from "../card/card.ts";

const SAID_WIDTH_MAX = 280;
const SAID_MAX = 3;
const SAID_ASKED = 60;
const CALLS_MAX = 5;
const CALLS_ASKED = 30;

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

/** @returns the last texts of the agent and of people, oldest first; undefined until they are read. */
function useSaid({ approval }: Card, isRead: boolean): readonly string[] | undefined {
  const { workspace, sessionId, callId } = approval;
  return useAsked([workspace, sessionId, callId, isRead], async (signal) => {
    if (!isRead) return undefined;
    const path = `/v1/sessions/${sessionId}/conversation`;
    const { items } = await ask<Conversation>(path, { workspace, limit: SAID_ASKED }, signal);
    return behind(items, ({ callId: id }) => id !== undefined && id === callId)
      .flatMap(({ kind, text }) => (kind === "call" || text === undefined ? [] : [text]))
      .slice(0, SAID_MAX)
      .toReversed();
  });
}

/** @returns the earlier calls, oldest first; undefined until they are read. */
function useCallsBefore({ approval }: Card, isRead: boolean): readonly CallView[] | undefined {
  const { workspace, sessionId, callId, askedAt } = approval;
  return useAsked([workspace, sessionId, callId, askedAt, isRead], async (signal) => {
    if (!isRead) return undefined;
    const path = `/v1/sessions/${sessionId}/tool-calls`;
    const { items } = await ask<Page<CallView>>(path, { workspace, limit: CALLS_ASKED }, signal);
    return behind(items, ({ id }) => id === callId)
      .filter(({ createdAt }) => createdAt <= askedAt)
      .slice(0, CALLS_MAX)
      .toReversed();
  });
}

/**
 * BACKGROUND-1. @param items newest first. @returns the items older than the one that `isIt` finds; all if it finds none.
 */
function behind<T>(items: readonly T[], isIt: (item: T) => boolean): readonly T[] {
  return items.slice(items.findIndex(isIt) + 1);
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

/** @param mine the name of the person who uses the page. */
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
  const answers = counted(looked, "answer");
  const among = more ? `the newest ${answers} of the workspace` : `the workspace's ${answers}`;
  return `Counted in this folder, among ${among}.`;
}

function ruleText({ terms: { tool, match }, allow }: NonNullable<Precedents["rule"]>): string {
  const about = !match
    ? ""
    : match.kind === "exact"
      ? " with this very input"
      : ` ${match.kind === "prefix" ? "that begins with " : ""}“${match.text}”`;
  return `A rule to allow ${tool}${about} here would have given ${allow.toLocaleString()} of these answers, and no others.`;
}
