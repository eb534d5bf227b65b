// Answered by rule
// Says by which rule a call was allowed or denied, and who made that rule.
//
//   Owns:          the sentence about the rule that answered a call.
//   Does not own:  the rule itself, which the engine keeps for a while after the rule has ended.

import type { RuleView } from "../../../../runtime/reading/rules.ts";
import { useAsked } from "../engine/asked.ts";
import { ask } from "../engine/api.ts";
import { Line } from "../parts/text.tsx";
import { hrefOf } from "../route.ts";

interface Props {
  readonly approval: { readonly by?: string; readonly state: string } | undefined;
  /** The other engine that has the call. */
  readonly engine: string | undefined;
}

const BY = "rule:";

export function AnsweredByRule({ approval, engine }: Props) {
  const { by = "", state } = approval ?? {};
  const id = by.startsWith(BY) ? by.slice(BY.length) : undefined;
  const rule = useAsked([id, engine], (signal) =>
    id === undefined ? undefined : ask<RuleView>(`/v1/rules/${id}`, { engine }, signal),
  );
  if (id === undefined) return null;
  return (
    <p class="quiet answered-by-rule">
      {state === "denied" ? "Denied" : "Allowed"} by rule <a href={hrefOf({ view: "rules" })}>{id}</a>
      {rule?.id === id && (
        <>
          , made by <Line text={rule.madeBy} />
          {rule.ended && ` (${rule.ended.why} since)`}
        </>
      )}
    </p>
  );
}
