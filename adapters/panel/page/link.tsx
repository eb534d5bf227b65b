// Link
// Says whether the page is connected to the engine: by a word in the header, and by a sentence if the page may be out of date.
//
//   Owns:          the wording for each state of the page's connection.
//   Does not own:  the connection (engine/follow), the figures (engine/standing), the troubles (trouble.tsx).

import { useEffect, useState } from "preact/hooks";
import type { Link } from "./engine/follow.ts";
import { standing } from "./engine/standing.ts";
import { troubles } from "./engine/troubles.ts";
import { useValue } from "./engine/value.ts";
import { counted } from "./parts/counted.ts";
import { Since } from "./parts/time.tsx";

const WORDS: Readonly<Record<Link, string>> = {
  connecting: "Connecting…",
  live: "Healthy",
  lost: "Away",
  "signed-out": "Signed out",
};

export function LinkState({ link }: { readonly link: Link }) {
  const wrong = useValue(troubles).length;
  const isTroubled = link === "live" && wrong > 0;
  const word = isTroubled ? counted(wrong, "trouble") : WORDS[link];
  return (
    <span class={`link ${link}${isTroubled ? " troubled" : ""}`}>
      <span role="status">{word}</span>
      {link === "live" && <Figures />}
    </span>
  );
}

/** These figures change by themselves. They are outside of `role="status"`, so that a screen reader does not announce them. */
function Figures() {
  const stats = useValue(standing);
  if (!stats) return null;
  const { at } = stats;
  return (
    <span class="figures">
      {"position" in stats && (
        <>
          {" · "}
          {counted(stats.position, "message")}
        </>
      )}
      {at > 0 && (
        <>
          {" · last "}
          <Since at={at} /> ago
        </>
      )}
    </span>
  );
}

/** The sentence is at the lower edge, so that it covers no heading, and moves nothing when it appears or disappears. */
export function LinkTrouble({ link }: { readonly link: Link }) {
  const [since, note] = useState<number>();
  useEffect(() => note(link === "lost" ? Date.now() : undefined), [link]);
  if (link === "signed-out")
    return (
      <p class="failure" role="alert">
        You are signed out: the engine was started anew, or your sign-in is over.{" "}
        <a href="/">Sign in again</a>, or have a new link made: `npx signalbox open`.
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
