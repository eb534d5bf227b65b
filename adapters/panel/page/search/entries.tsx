// Entries
// Shows search results and commands as lines in groups; a press on a line opens the result or runs the command.
//
//   Owns:          the words of a line, what it opens, the order of the groups.
//   Does not own:  finding results, choosing a line (palette.tsx).

import type { JSX } from "preact";
import type { Hit } from "../../../../runtime/reading/search/search.ts";
import { Line } from "../parts/text.tsx";
import { Since } from "../parts/time.tsx";
import { labelOf } from "../parts/words.ts";
import { go, type Route } from "../route.ts";
import type { Command } from "./commands.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";

export interface Entry {
  readonly key: string;
  readonly shown: JSX.Element;
  readonly run: () => void;
}

export interface Group {
  readonly name: string;
  readonly entries: readonly Entry[];
}

const NAMES: readonly (readonly [kind: Hit["kind"], name: string])[] = [
  ["session", "Sessions"],
  ["request", "Prompts"],
  ["call", "Calls"],
  ["approval", "Approvals"],
];

/** Arranges the results in groups. @param words the typed words, in lower case; each line marks where they occur in it. */
export function groupsOf(
  hits: readonly Hit[],
  commands: readonly Command[],
  words: readonly string[],
): readonly Group[] {
  const found = NAMES.map(([kind, name]) => ({
    name,
    entries: hits.filter((hit) => hit.kind === kind).map((hit) => entryOf(hit, words)),
  }));
  const named = { name: "Commands", entries: commands.map(commandEntry) };
  return [named, ...found].filter(({ entries }) => entries.length > 0);
}

const commandEntry = ({ name, key, run }: Command): Entry => ({
  key: name,
  run,
  shown: (
    <>
      <span class="one-line">{name}</span>
      {key !== undefined && <kbd>{key}</kbd>}
    </>
  ),
});

function entryOf(hit: Hit, words: readonly string[]): Entry {
  const { kind, workspace, sessionId, id, title, around, session, state, at } = hit;
  return {
    key: `${kind} ${workspace}/${sessionId}/${id}`,
    run: () => go(placeOf(hit)),
    shown: (
      <>
        <span class="one-line">
          <Marked text={titleLine(title)} words={words} />
          {around !== undefined && around !== "" && around !== workspace && (
            <span class="gist">
              {" "}
              <Marked text={around} words={words} />
            </span>
          )}
        </span>
        <span class={`chip ${state}`}>{labelOf(state)}</span>
        <span class="quiet where one-line">
          {session !== undefined && (
            <>
              <Line text={titleLine(session)} /> ·{" "}
            </>
          )}
          <Marked text={workspace} words={words} /> · <Since at={at} /> ago
        </span>
      </>
    ),
  };
}

function placeOf({ kind, workspace, sessionId: session, id }: Hit): Route {
  switch (kind) {
    case "session":
    case "request":
      return { view: "session", workspace, session };
    case "call":
      return { view: "session", workspace, session, call: id };
    case "approval":
      return { view: "inbox", approval: { workspace, id } };
  }
}

function Marked({ text, words }: { readonly text: string; readonly words: readonly string[] }) {
  if (words.length === 0) return <Line text={text} />;
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${escaped.join("|")})`, "iu"));
  return parts.map((part, index) =>
    index % 2 === 1 ? (
      <mark key={index}>
        <Line text={part} />
      </mark>
    ) : (
      part !== "" && <Line key={index} text={part} />
    ),
  );
}
