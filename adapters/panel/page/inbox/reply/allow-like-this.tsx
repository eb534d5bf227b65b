// Allow like this
// The button that opens the form for a rule, made from an approval: calls like it are then allowed without asking.
//
//   Owns:          when the form is shown.
//   Does not own:  the form (rule-form), answering the approval itself (choice.ts).

import { later } from "../../parts/later.tsx";
import { useKeys } from "../../parts/keyboard.ts";
import type { WholeProps } from "../card/card.ts";
import { isOpen } from "../model.ts";
import { mayRule } from "./writing.ts";

const RuleForm = later(async () => (await import("./rule-form.tsx")).RuleForm);

type Props = Omit<WholeProps, "before">;

export function AllowLikeThis({ card, mode, isSettling, onMode, onReply }: Props) {
  const isRuling = mode === "ruling";
  const turn = (event: Event): void => onMode(isRuling ? "reading" : "ruling", event);
  const may = mayRule(card) && isOpen(card);
  useKeys(may && (isRuling || mode === "reading") ? { r: turn } : {}, "part");
  if (!may && !isRuling) return null;
  return (
    <section class="allow-like-this" aria-label="Allow like this">
      <button type="button" aria-expanded={isRuling} onClick={turn}>
        Allow like this… <kbd>r</kbd>
      </button>
      {isRuling && (
        <RuleForm card={card} isSettling={isSettling} onReply={onReply} onClose={() => onMode("reading")} />
      )}
    </section>
  );
}
