// Cost
// What a session has cost so far, as its client reports it.
//
//   Owns:          the wording of a cost.
//   Does not own:  the amounts: a cost that the client does not report is not shown, and never computed from prices.

import type { ToldCost } from "../../../../runtime/reading/conversation.ts";

const dollars = new Intl.NumberFormat("en", { style: "currency", currency: "USD" });
const cents = new Intl.NumberFormat("en", { style: "currency", currency: "USD", maximumFractionDigits: 4 });

export const usdText = (usd: number): string => (usd < 1 ? cents : dollars).format(usd);

export function Cost({ cost }: { readonly cost: ToldCost | undefined }) {
  if (!cost) return null;
  const { usd, tokens, isPart } = cost;
  const title = isPart
    ? "The client reported this cost; it does not know the price of one model."
    : "The client reported this cost.";
  return (
    <span class="cost" title={title}>
      {" · "}
      {isPart && "at least "}
      {usdText(usd)} so far
      {tokens > 0 && `, ${tokens.toLocaleString()} tokens`}
    </span>
  );
}
