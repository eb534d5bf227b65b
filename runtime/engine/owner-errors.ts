// Owner errors
// The errors of an engine that is not the owner of its journal, or that nobody can follow.
//
//   Owns:          their texts.
//   Does not own:  when they are thrown (mandate, engine, adapters).

import type { Term } from "../cluster/term.ts";
import { FatalError, RefusedError, RetryableError } from "../errors/errors.ts";

export const standingBy = (owner: string | undefined): RetryableError =>
  new RetryableError(
    "STANDING_BY",
    `This engine stands by: hooks, gates and an owner's own work go to the owner. ${owner === undefined ? "Its owner has not been heard of yet." : `The owner is at ${owner}.`}`,
    owner === undefined
      ? "Send it again in a few seconds: this engine takes over if there is no owner."
      : `Send it to ${owner}; if nobody answers there, send it here again in a few seconds.`,
    1_000,
  );

/** Nobody would take the journal over. */
export const noSpare = (): RefusedError =>
  new RefusedError(
    "NO_SPARE",
    "No spare can take the journal over from this engine.",
    "Start one with `npx signalbox up --follow` on the same NATS server (docs/how-to/scale.md), then try again.",
  );

/** The engine never had to begin a term, since no spare has ever taken over. */
export const noTerm = (): RefusedError =>
  new RefusedError(
    "NO_TERM",
    "This engine has no term that it could end: no spare ever took its journal over.",
    "If it has no spare, stop it and start the new version. Otherwise run `npx signalbox handover` once, then try again.",
  );

/** The code of the error that another engine owns the journal. */
const OWNER_REPLACED = "OWNER_REPLACED";

export const ownerReplaced = ({ n, node }: Term): FatalError =>
  new FatalError(
    OWNER_REPLACED,
    `The engine at ${node} has taken over (term ${n}), so this one writes and publishes nothing more.`,
    "Start it with --follow to have it stand by. To have it take over, stop the other one first.",
  );

/** A start without --follow found another owner, or lost a race for the term. */
export const ownedElsewhere = (node: string): FatalError =>
  new FatalError(
    OWNER_REPLACED,
    `The engine at ${node} is the owner of this journal.`,
    "Start this one with --follow to have it stand by. To have it take over, stop the other one first.",
  );
