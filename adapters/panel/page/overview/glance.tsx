// Glance
// Shows four numbers: what waits for a person, what runs, what failed. Each number links to a list of what it counts.
//
//   Owns:          the words around each number.
//   Does not own:  counting (the engine), the lists that the numbers link to.

import type { Stats } from "../../../../runtime/reading/figures/stats.ts";
import { now } from "../engine/engine.ts";
import { useSelected, useValue } from "../engine/value.ts";
import { type Inbox, inbox, isOpen } from "../inbox/model.ts";
import { isOpen as isLetterOpen, letters } from "../letters/model.ts";
import { duration } from "../parts/time.tsx";
import { hrefOf } from "../route.ts";
import { goingOn } from "./standing.ts";

interface GlanceProps {
  readonly counts: Stats["counts"];
  /** How many requests wait for a person: `100+` if more wait than were counted. */
  readonly waiting: string;
}

export function Glance({ counts, waiting }: GlanceProps) {
  const oldest = useSelected(inbox, oldestIn);
  const current = useValue(now);
  const { items, isMore } = useValue(letters);
  const open = items.filter(isLetterOpen).length;
  const of = (kind: keyof Stats["counts"], state: string): number => counts[kind][state] ?? 0;
  const [pending, running] = [of("approvals", "pending"), of("sessions", "running")];
  const [failed, late] = [of("requests", "failed"), of("requests", "timeout")];
  const requests = goingOn(of("requests", "processing"), waiting);
  const overview = hrefOf({ view: "overview" });
  return (
    <div class="glance" role="group" aria-label="At a glance">
      <Figure
        name="Waiting for you"
        href={hrefOf({ view: "inbox" })}
        count={pending}
        look="waiting"
        more={
          oldest === undefined ? "nobody waits" : `the longest for ${duration(Math.max(0, current - oldest))}`
        }
      />
      <Figure
        name="Running"
        href={`${overview}?sessions.state=running`}
        count={running}
        look="running"
        more={`${running === 1 ? "session" : "sessions"}, ${requests} ${requestsOf(parseInt(requests, 10))}`}
      />
      <Figure
        name="Failed"
        href={`${overview}?requests.state=failed`}
        count={failed}
        look="failed"
        more={`${requestsOf(failed)}${late === 0 ? "" : `; ${late.toLocaleString()} more timed out`}`}
      />
      <Figure
        name="Dead letters"
        href={hrefOf({ view: "letters" })}
        count={open}
        isMore={isMore}
        look="waiting"
        more={open === 0 ? "none needs you" : "messages refused, or not applied"}
      />
    </div>
  );
}

const requestsOf = (count: number): string => (count === 1 ? "request" : "requests");

/** When the approval that has waited longest was requested. The inbox may lack pending approvals, but never the oldest ones. */
export const oldestIn = ({ cards }: Inbox): number | undefined => {
  const open = cards.filter(isOpen).map(({ approval }) => approval.askedAt);
  return open.length === 0 ? undefined : Math.min(...open);
};

interface FigureProps {
  readonly name: string;
  readonly href: string;
  readonly count: number;
  readonly isMore?: boolean;
  readonly look: string;
  readonly more: string;
}

function Figure({ name, href, count, isMore = false, look, more }: FigureProps) {
  return (
    <a class={`tile figure ${count === 0 ? "none" : look}`} href={href}>
      <span class="name">{name}</span>{" "}
      <strong>
        {count.toLocaleString()}
        {isMore && "+"}
      </strong>{" "}
      <span class="quiet">{more}</span>
    </a>
  );
}
