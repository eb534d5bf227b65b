// Letters: link
// The number of open dead letters, in the header; absent if there is none.
//
//   Owns:          the wording of the link.
//   Does not own:  the letters (model.ts).

import { useValue } from "../engine/value.ts";
import { hrefOf } from "../route.ts";
import { isOpen, letters } from "./model.ts";

export function LettersLink() {
  const { items, isMore } = useValue(letters);
  const open = items.filter(isOpen).length;
  if (open === 0) return null;
  const count = `${open.toLocaleString()}${isMore ? "+" : ""}`;
  return (
    <a class="letters-link" href={hrefOf({ view: "letters" })} title={`${count} dead letters`}>
      <span class="count">{count}</span> <span class="words">dead {open === 1 ? "letter" : "letters"}</span>
    </a>
  );
}
