// Link
// The page's connection to the engine: always a word, and a sentence when the page may be out of date.
//
//   Owns:          the words.
//   Does not own:  the connection (engine/follow).

import { useEffect, useState } from "preact/hooks";
import type { Link } from "./engine/follow.ts";

const WORDS: Readonly<Record<Link, string>> = {
  connecting: "connecting…",
  live: "live",
  lost: "away",
  "signed-out": "signed out",
};

export function LinkState({ link }: { readonly link: Link }) {
  return (
    <span class={`link ${link}`} role="status">
      {WORDS[link]}
    </span>
  );
}

/** At the lower edge: it covers no heading, and nothing moves under the finger when the engine goes or comes back. */
export function LinkTrouble({ link }: { readonly link: Link }) {
  const [since, note] = useState<number>();
  useEffect(() => note(link === "lost" ? Date.now() : undefined), [link]);
  if (link === "signed-out")
    return (
      <p class="failure" role="alert">
        You are signed out: your token counts no longer. Open the link that `npx signalbox up` prints, or the
        one with your own token.
      </p>
    );
  if (link !== "lost") return null;
  return (
    <p class="failure" role="alert">
      The engine does not answer{since !== undefined && ` since ${new Date(since).toLocaleTimeString()}`}.
      What you see is from before; the page tries again by itself.
    </p>
  );
}
