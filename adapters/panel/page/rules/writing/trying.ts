// Trying
// Tries a drafted rule while a person writes it.
//
//   Owns:          when a trial begins, which result is still valid.
//   Does not own:  the trial (trial.ts, the engine), how its result is shown (found.tsx).
//
// WRITING-TRYING-1. A trial begins once nobody has typed for a moment, and only after the trial before it has ended.
// WRITING-TRYING-2. After the draft has changed, the last result is shown as old until there is a new one. A late
//     result of an earlier draft is dropped.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Trial, TrialProgress } from "../../../../../runtime/reading/rule-trial.ts";
import { refusal } from "../../engine/api.ts";
import { tried } from "./trial.ts";

const PAUSE_MS = 400;
/** How many cases a trial lists: a person who types reads no more than these. */
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

/**
 * Tries the draft whenever it changes. @param body the body of the request, without its limit; undefined if there is nothing
 * to try.
 */
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

/** Updates the state, unless the draft has changed since. */
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
