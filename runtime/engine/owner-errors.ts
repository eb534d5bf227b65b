// Owner errors
// The errors of an engine that is not the owner of its journal, or whose journal no spare can take over.
//
//   Owns:          the texts of the errors about ownership of the journal.
//   Does not own:  when the errors about ownership are thrown (mandate, engine, adapters).

import type { Term } from "../cluster/term.ts";
import { FatalError, RefusedError, RetryableError } from "../errors/errors.ts";

export const standingBy = (owner: string | undefined): RetryableError =>
  new RetryableError(
    "STANDING_BY",
    `This engine is a spare: hooks, gates and some other requests go to the journal's owner. ${owner === undefined ? "This engine does not know the owner yet." : `The owner is at ${owner}.`}`,
    owner === undefined
      ? "Send the message again in a few seconds: this engine takes over if there is no owner."
      : `Send the message to ${owner}; if nobody answers there, send it to this engine again in a few seconds.`,
    1_000,
  );

export const noSpare = (): RefusedError =>
  new RefusedError(
    "NO_SPARE",
    "No spare can take the journal over from this engine.",
    "Start a spare with `npx signalbox up --follow` on the same NATS server (docs/how-to/scale.md), then try again.",
  );

/** The engine cannot end its term, because it never had to begin one: no spare has ever taken over. */
export const noTerm = (): RefusedError =>
  new RefusedError(
    "NO_TERM",
    "This engine cannot begin the upgrade: no spare has ever taken its journal over.",
    "If it has no spare, stop it and start the new version. Otherwise run `npx signalbox handover` once, then try again.",
  );

const OWNER_REPLACED = "OWNER_REPLACED";

export const ownerReplaced = ({ n, node }: Term): FatalError =>
  new FatalError(
    OWNER_REPLACED,
    `The engine at ${node} has taken over (term ${n}), so this engine writes and publishes nothing more.`,
    "Start this engine with --follow to have it stand by. To have it take over, stop the other engine first.",
  );

/** The error of a start without --follow if the journal has another owner, or if another engine began the next term first. */
export const ownedElsewhere = (node: string): FatalError =>
  new FatalError(
    OWNER_REPLACED,
    `The engine at ${node} is the owner of this journal.`,
    "Start this engine with --follow to have it stand by. To have it take over, stop the other engine first.",
  );
