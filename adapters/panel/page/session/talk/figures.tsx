// Figures
// One line of figures about one request of a session: its calls, the agent's texts, the model, the context, the cost.
//
//   Owns:          the words around the figures, leaving out a figure that the client did not report.
//   Does not own:  finding the figures (turns.ts, model.ts).

import { counted } from "../../parts/counted.ts";
import { Line } from "../../parts/text.tsx";
import { usdText } from "../cost.tsx";
import type { RequestRow } from "../model.ts";
import type { Turn } from "./turns.ts";

interface Props {
  readonly row: Pick<RequestRow, "calls" | "request">;
  readonly turn: Turn | undefined;
  /** True if some calls of the request may not have been read. */
  readonly isPart: boolean;
}

export function Figures({ row: { calls, request }, turn, isPart }: Props) {
  const { tokens, model: told } = request;
  const failed = calls.filter(({ execution }) => execution === "failed").length;
  const { texts = 0, model = told, context, usd } = turn ?? {};
  const parts = [
    calls.length > 0 &&
      counted(calls.length, "call") +
        (isPart ? " of those loaded" : "") +
        (failed > 0 ? `, ${failed.toLocaleString()} failed` : ""),
    texts > 0 && counted(texts, "text"),
    model,
    context !== undefined && context > 0 && `context of ${counted(context, "token")}`,
    usd !== undefined ? usdText(usd) : tokens !== undefined && tokens > 0 && counted(tokens, "token"),
  ].filter((part) => typeof part === "string");
  if (parts.length === 0) return null;
  return (
    <p class="quiet turn" aria-label="The turn in figures">
      <Line text={parts.join(" · ")} />
    </p>
  );
}
