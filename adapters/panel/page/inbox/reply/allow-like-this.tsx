// Allow like this
// The button that opens the form for a rule, made from an approval: calls like it are then allowed without asking.
//
//   Owns:          the button and its key.
//   Does not own:  the form (rule-form.tsx), where it is shown (answers.tsx).

import { may } from "../../engine/me.ts";
import { useKeys } from "../../parts/keyboard.ts";
import type { WholeProps } from "../card/card.ts";
import { mayRule } from "./writing.ts";

export function AllowLikeThis({ card, mode, onMode }: Pick<WholeProps, "card" | "mode" | "onMode">) {
  const isRuling = mode === "ruling";
  const turn = (event: Event): void => onMode(isRuling ? "reading" : "ruling", event);
  const isOn = mayRule(card);
  useKeys(isOn ? { r: turn } : {}, "part");
  if (!may("manage")) return null;
  return (
    <button type="button" disabled={!isOn} aria-expanded={isRuling} onClick={turn}>
      Allow like this… <kbd>r</kbd>
    </button>
  );
}
