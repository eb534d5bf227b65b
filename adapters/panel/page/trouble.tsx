// Trouble
// Shows on every view what does not work at the moment: what it is, what to do, since when.
//
//   Owns:          the words around the engine's own text about a trouble.
//   Does not own:  which troubles there are (engine/troubles).
//
// The box for troubles is on the page even while nothing is wrong, because a screen reader announces only what is added to an
// existing element. The box is at the lower edge, so that nothing moves when a trouble appears or is over.

import type { Trouble } from "../../../runtime/errors/trouble.ts";
import { troubles } from "./engine/troubles.ts";
import type { Link } from "./engine/follow.ts";
import { useValue } from "./engine/value.ts";
import { useHeightAs } from "./parts/size.ts";
import { useMay } from "./engine/me.ts";
import { later } from "./parts/later.tsx";
import { LinkTrouble } from "./link.tsx";

/** How many troubles are shown; the gravest come first. */
const SHOWN_MAX = 3;

const Lacks = later(async () => (await import("./parts/lacks.tsx")).Lacks);

export function Troubles({ link }: { readonly link: Link }) {
  const all = useValue(troubles);
  const mayView = useMay("view");
  return (
    <div class="troubles" role="status" ref={useHeightAs("--troubles-height")}>
      <LinkTrouble link={link} />
      {!mayView && <Lacks part="view" />}
      {all.slice(0, SHOWN_MAX).map((trouble) => (
        <Line key={trouble.code} trouble={trouble} />
      ))}
      {all.length > SHOWN_MAX && (
        <p class="warning">and {all.length - SHOWN_MAX} more troubles: see /readyz</p>
      )}
    </div>
  );
}

function Line({ trouble: { message, next, since, isEssential } }: { readonly trouble: Trouble }) {
  return (
    <p class={isEssential ? "failure" : "warning"}>
      <strong>{message}</strong> {next}{" "}
      <span class="quiet">Since {new Date(since).toLocaleTimeString()}.</span>
    </p>
  );
}
