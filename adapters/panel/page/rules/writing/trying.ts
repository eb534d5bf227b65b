// Trying
// Tries a rule while it is written.
//
//   Owns:          when a trial begins, which answer still counts.
//   Does not own:  the trial (trial.ts, the engine), what is shown of it (found.tsx).
//
// WRITING-TRYING-1. A trial begins once nobody has typed for a moment, and only when the one before it has ended.
// WRITING-TRYING-2. What was found of a rule that reads otherwise by now is shown as old until the next is found, and an
//     answer that comes late is dropped.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Trial, TrialProgress } from "../../../../../runtime/reading/rule-trial.ts";
import { refusal } from "../../engine/api.ts";
import { tried } from "./trial.ts";

const PAUSE_MS = 400;
/** Cases that are told: more would not be read while one types. */
const CASES = 20;

export interface Trying {
  /** Of the rule as it reads now, or of what it was before. */
  readonly trial?: Trial;
  /** What the engine says against the rule. */
  readonly refused?: string;
  readonly isTrying: boolean;
  readonly progress?: TrialProgress;
}

const NOTHING: Trying = { isTrying: false };

/** @param body of the trial as text, without its limit; undefined while there is nothing to try. */
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

/** Drops what comes too late. */
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
