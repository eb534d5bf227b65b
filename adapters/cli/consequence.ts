// Consequence
// What a denial would do, in words: the calls it would end.
//
//   Owns:          the words.
//   Does not own:  the prediction: the engine's own turn makes it (runtime/preview).

import { z } from "zod";
import { oneLine } from "../../runtime/visible.ts";
import { type ApprovalAnswer, callAnswer } from "./answers.ts";
import type { Client } from "./client.ts";
import { gistOf, plural } from "./wording.ts";

const foreseen = z.object({
  items: z.array(z.looseObject({ entity: z.string(), to: z.string(), view: z.unknown() })),
});
const place = callAnswer.extend({ index: z.number() });

const SHOWN_MAX = 8;
const GIST_MAX = 32;

/**
 * @param isInterrupt as in the denial.
 * @returns one line. @throws Failure when the engine no longer has the question.
 */
export async function consequenceOf(
  client: Client,
  { id, onDeny }: Pick<ApprovalAnswer, "id" | "onDeny">,
  isInterrupt: boolean,
): Promise<string> {
  const { items } = await client.get(`/v1/approvals/${encodeURIComponent(id)}/denial`, foreseen, {
    interrupt: String(isInterrupt),
  });
  const calls = items
    .filter(({ entity, to }) => entity === "toolcall" && to === "denied")
    .map(({ view }) => place.parse(view));
  const more = onDeny === "interrupt" && !isInterrupt ? "; with --interrupt the agent's whole turn ends" : "";
  if (calls.length <= 1) return `nothing else is denied with it${more}`;
  const shown = calls
    .slice(0, SHOWN_MAX)
    .map(({ index, tool, input }) =>
      [index + 1, tool, oneLine(gistOf(input), GIST_MAX)].filter(Boolean).join(" "),
    );
  const rest = calls.length > SHOWN_MAX ? `, and ${calls.length - SHOWN_MAX} more` : "";
  return `ends ${plural(calls.length, "call")}: ${shown.join(", ")}${rest}${more}`;
}
