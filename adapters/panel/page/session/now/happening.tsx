// Happening
// A sentence at the top of a session's page that says what the session does at present.
//
//   Owns:          the sentence about what a session does at present.
//   Does not own:  which fact the sentence is about (now.ts).

import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { titleLine } from "../../../../../runtime/text/title-line.ts";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { Line } from "../../parts/text.tsx";
import { Since } from "../../parts/time.tsx";
import { labelOf } from "../../parts/words.ts";
import { hrefOf } from "../../route.ts";
import type { CallRow, RequestFacts, Timeline } from "../model.ts";
import { type Now, nowOf } from "./now.ts";

interface Props {
  readonly workspace: string;
  readonly session: string;
  readonly timeline: Timeline;
  /** True if the timeline is of the present: only then the shown time goes on counting. */
  readonly isLive: boolean;
}

/** The look of each kind of state; a kind that is missing here has the plain look. */
const LOOKS: Partial<Record<Now["kind"], string>> = {
  waits: "waiting",
  runs: "processing",
  works: "processing",
};

export function Happening({ workspace, session, timeline, isLive }: Props) {
  const now = useMemo(() => nowOf(timeline), [timeline]);
  const link = (call: CallRow["call"]) => (
    <a class="one-line" href={hrefOf({ view: "session", workspace, session, call: call.id })}>
      <Line text={`${call.tool} ${gistOf(call.input, call.tool)}`.trim()} />
    </a>
  );
  const isOver = now.kind === "ended" || now.kind === "rests";
  return (
    <p
      class={`happening ${LOOKS[now.kind] ?? ""}`}
      aria-label={isLive ? "What happens now" : "What happened then"}
    >
      <strong>{isLive ? "Now" : "Then"}</strong> <span>{sentenceOf(now, link)}</span>{" "}
      {isLive && "since" in now && (
        <span class="quiet">
          {!isOver && "for "}
          <Since at={now.since} />
          {isOver && " ago"}
        </span>
      )}
    </p>
  );
}

type Linked = (call: CallRow["call"]) => ComponentChildren;

function sentenceOf(now: Now, link: Linked): ComponentChildren {
  switch (now.kind) {
    case "waits":
      return [link(now.call), ` waits for you${andMore(now.others, "waits", "wait")}`];
    case "runs":
      return [link(now.call), ` runs${andMore(now.others, "runs", "run")}`];
    case "works":
      return ["The agent works on ", quoted(now.request), "; no call runs"];
    case "queued":
      return [quoted(now.request), " waits for its turn"];
    case "rests":
      return ["Nothing runs. The last request, ", quoted(now.request), `: ${labelOf(now.request.state)}`];
    case "ended":
      return "The session has ended";
    case "new":
      return "Nothing was requested yet";
  }
}

const andMore = (others: number, one: string, many: string): string =>
  others === 0 ? "" : `, and ${others.toLocaleString()} more ${others === 1 ? one : many}`;

const quoted = ({ prompt, requestId }: RequestFacts) => (
  <span class="one-line">
    “<Line text={titleLine(prompt ?? requestId)} />”
  </span>
);
