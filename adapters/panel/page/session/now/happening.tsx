// Happening
// What the session does at the moment, in one sentence at the top of its page.
//
//   Owns:          the wording.
//   Does not own:  what is told (now.ts).

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
  /** True if the timeline is of the present: only then the time since is counted. */
  readonly isLive: boolean;
}

/** The looks of what needs a person, and of what runs. Everything else has the plain look. */
const LOOKS: Partial<Record<Now["kind"], string>> = {
  waits: "waiting",
  runs: "processing",
  works: "processing",
};

export function Happening({ workspace, session, timeline, isLive }: Props) {
  const now = useMemo(() => nowOf(timeline), [timeline]);
  const link = (call: CallRow["call"]) => (
    <a class="one-line" href={hrefOf({ view: "session", workspace, session, call: call.id })}>
      <Line text={`${call.tool} ${gistOf((call as { input?: unknown }).input, call.tool)}`.trim()} />
    </a>
  );
  const [text, after] = sentenceOf(now, link);
  return (
    <p
      class={`happening ${LOOKS[now.kind] ?? ""}`}
      aria-label={isLive ? "What happens now" : "What happened then"}
    >
      <strong>{isLive ? "Now" : "Then"}</strong> <span>{text}</span>{" "}
      {isLive && "since" in now && (
        <span class="quiet">
          {after} <Since at={now.since} />
          {now.kind === "ended" || now.kind === "rests" ? " ago" : ""}
        </span>
      )}
    </p>
  );
}

type Linked = (call: CallRow["call"]) => ComponentChildren;

/** Writes what happens now. @returns the sentence, and the word that stands before the time since then. */
function sentenceOf(now: Now, link: Linked): readonly [ComponentChildren, string] {
  switch (now.kind) {
    case "waits":
      return [
        <>
          {link(now.call)} waits for you{andMore(now.others, "waits", "wait")}
        </>,
        "for",
      ];
    case "runs":
      return [
        <>
          {link(now.call)} runs{andMore(now.others, "runs", "run")}
        </>,
        "for",
      ];
    case "works":
      return [<>The agent works on {quoted(now.request)}; no call runs</>, "for"];
    case "queued":
      return [<>{quoted(now.request)} waits for its turn</>, "for"];
    case "rests":
      return [
        <>
          Nothing runs. The last request, {quoted(now.request)}: {labelOf(now.request.state)}
        </>,
        "",
      ];
    case "ended":
      return ["The session has ended", ""];
    case "new":
      return ["Nothing was requested yet", ""];
  }
}

const andMore = (others: number, one: string, many: string): string =>
  others === 0 ? "" : `, and ${others.toLocaleString()} more ${others === 1 ? one : many}`;

const quoted = ({ prompt, requestId }: RequestFacts) => (
  <span class="one-line">
    “<Line text={titleLine(prompt ?? requestId)} />”
  </span>
);
