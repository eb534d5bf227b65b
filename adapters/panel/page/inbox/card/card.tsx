// Card
// The row of one approval in the list: which tool, with what input, since when. The chosen approval's row has the whole card.
//
//   Owns:          how a row looks in each phase of its approval.
//   Does not own:  the data of the row (model.ts), the keys (choice.ts), the whole card (whole.tsx).

import type { Card, WholeProps } from "./card.ts";
import { Left } from "./deadline.tsx";
import { PhaseLine } from "./phase.tsx";
import { Where } from "./where.tsx";
import { Whole } from "./whole.tsx";
import { gistOf } from "../../../../../runtime/text/gist.ts";
import { gistOfMissing } from "../../parts/missing.tsx";
import { later } from "../../parts/later.tsx";
import { Line, PathLine } from "../../parts/text.tsx";
import { Since } from "../../parts/time.tsx";
import { RiskMark } from "../risk/marks.tsx";
import { Lookers } from "../team/lookers.tsx";

/** The page loads this part on demand, because few approvals have notes. */
const Notes = later(async () => (await import("./notes.tsx")).Notes);

interface Props extends WholeProps {
  readonly isChosen: boolean;
  readonly isPicked: boolean;
  /** How many equal approvals this row stands for; 1 if it stands only for its own approval. */
  readonly equal: number;
  /** True if the equal approvals are unfolded: each has a row of its own. */
  readonly isUnfolded: boolean;
  /** True if the row names its session itself, because no heading above the row does. */
  readonly isAway: boolean;
  readonly onChoose: () => void;
  readonly onPick: () => void;
  readonly onTurn: () => void;
}

export function CardView(props: Props) {
  const { isChosen, isPicked, equal, isUnfolded, isAway, onChoose, onPick, onTurn, ...whole } = props;
  const { card, isSettling } = whole;
  const { approval, phase, call } = card;
  const { tool } = approval;
  const isOpen = phase.is === "open";
  const named = equal > 1 && !isUnfolded ? `${equal} × ${tool}` : tool;
  return (
    <article
      class={`card ${phase.is}${isSettling ? " settling" : ""}`}
      aria-current={isChosen}
      aria-label={`${named}, ${isOpen ? "waiting" : phase.is}`}
      tabIndex={-1}
      onClick={isChosen ? undefined : onChoose}
    >
      <header>
        {isOpen && <PickBox name={named} isPicked={isPicked} onPick={onPick} />}
        <h2 class="one-line">
          {isChosen ? (
            <Line text={named} />
          ) : (
            <button type="button" class="bare">
              <Line text={named} />
            </button>
          )}
        </h2>
        <Gist approval={approval} />
        {isOpen && <RiskMark card={card} />}
        <Wait card={card} />
      </header>
      <div class="context">
        {isOpen && (approval.maybeAnswered ?? approval.lastSeenAt ?? approval.demands) && (
          <Notes approval={approval} isChosen={isChosen} />
        )}
        {!isChosen && <PhaseLine phase={phase} receipt={approval.receipt} isInRow />}
        {isAway && <Where {...approval} />}
        {!isChosen && call?.intent && (
          <span class="intent">
            <Line text={call.intent.text} />
          </span>
        )}
        {isOpen && <Lookers approval={approval} />}
        {equal > 1 && (
          <button
            type="button"
            class="plain"
            aria-expanded={isUnfolded}
            onClick={(event) => {
              event.stopPropagation();
              onTurn();
            }}
          >
            {isUnfolded ? `Show ${equal} as one` : `Show all ${equal}`} {isChosen && <kbd>f</kbd>}
          </button>
        )}
      </div>
      {isChosen && <Whole {...whole} />}
    </article>
  );
}

/** The box with which a person picks the card, to answer several cards together. A click on the box does not choose the card. */
const PickBox = ({
  name,
  isPicked,
  onPick,
}: Pick<Props, "isPicked" | "onPick"> & { readonly name: string }) => (
  <label class="pick" onClick={(event) => event.stopPropagation()}>
    <span class="unseen">
      Pick <Line text={name} />
    </span>
    <input type="checkbox" checked={isPicked} onChange={onPick} />
  </label>
);

function Wait({ card: { approval, phase } }: { readonly card: Card }) {
  const isOpen = phase.is === "open";
  return (
    <span class="wait">
      {isOpen ? "waiting " : "asked "}
      <Since at={approval.askedAt} />
      {!isOpen && " ago"}
      {isOpen && <Left approval={approval} />}
    </span>
  );
}

const Gist = ({ approval: { tool, input, inputMissing: missing } }: Pick<Card, "approval">) => (
  <p class="gist">
    <PathLine text={missing ? gistOfMissing(missing) : gistOf(input, tool)} />
  </p>
);
