// Trying
// Tries a drafted rule on past approvals while a person writes it.
//
//   Owns:          when a trial begins, whether the last result is still up to date.
//   Does not own:  running a trial (trial.ts, the engine), how the result is shown (found.tsx).
//
// WRITING-TRYING-1. A trial of a drafted rule begins once the person has not typed for a moment, and never before the previous
//     trial has ended.
// WRITING-TRYING-2. After a change of the draft, the last result is marked as old until the new result has come. If a trial of
//     an earlier draft ends late, its result is dropped.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Trial, TrialProgress } from "../../../../../runtime/reading/rule-trial.ts";
import { refusal } from "../../engine/api.ts";
import { tried } from "./trial.ts";

const PAUSE_MS = 400;
/** How many past approvals a trial lists: while a person types, nobody reads more. */
const CASES = 20;

export interface Trying {
  /** The last result. While `isTrying`, it is the result of an earlier draft. */
  readonly trial?: Trial;
  /** Why the engine refuses the rule. */
  readonly refused?: string;
  readonly isTrying: boolean;
  readonly progress?: TrialProgress;
}

const NOTHING: Trying = { isTrying: false };

/** Tries each draft. @param body the body of the request, without the limit `CASES`; undefined if there is nothing to try. */
export function useTrying(body: string | undefined): Trying {
  const [trying, show] = useState(NOTHING);
  const before = useRef(Promise.resolve());
  useEffect(() => {
    if (body === undefined) {
      show(NOTHING);
      return;
    }
    const leaving = new AbortController();
    const { signal } = leaving;
    const tell: Tell = (next) => {
      if (!signal.aborted) show(next);
    };
    tell(({ trial }) => ({ ...(trial && { trial }), isTrying: true }));
    const begin = (): Promise<void> => (signal.aborted ? Promise.resolve() : run(body, signal, tell));
    const timer = setTimeout(() => {
      before.current = before.current.then(begin, begin);
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [body]);
  return trying;
}

/** Updates the state, unless the draft has changed since the trial was planned. */
type Tell = (next: (known: Trying) => Trying) => void;

async function run(body: string, signal: AbortSignal, tell: Tell): Promise<void> {
  const asked = { ...(JSON.parse(body) as object), limit: CASES };
  try {
    const trial = await tried(asked, signal, (progress) => tell((known) => ({ ...known, progress })));
    tell(() => ({ trial, isTrying: false }));
  } catch (error) {
    if (signal.aborted) return;
    const refused = refusal(error).words;
    tell(() => ({ refused, isTrying: false }));
  }
}
