// Looking
// Searches for rules that would have answered as people did: on demand, one search at a time, until a person stops it.
//
//   Owns:          the state of the search, whether its result is still valid.
//   Does not own:  the search (the engine), how the result is shown (suggested.tsx).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// RULES-LOOKING-1. No search begins by itself.
// RULES-LOOKING-2. A result is marked as old once somebody denied a call in its workspace, or once changes were missed.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Suggestions } from "../../../../runtime/reading/suggesting/suggestions.ts";
import type { StateChange } from "../../../../runtime/rows/changes.ts";
import type { ApprovalView } from "../../../../runtime/rows/views.ts";
import { ask, refusal } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";

interface Of {
  readonly workspace: string;
  readonly isOld: boolean;
}

export type Looking =
  | { readonly is: "none" | "stopped" }
  /** @param from when the search began, ms. */
  | ({ readonly is: "looking"; readonly from: number } & Of)
  | { readonly is: "refused"; readonly words: string }
  | ({ readonly is: "found"; readonly found: Suggestions } & Of);

export interface Search {
  readonly looking: Looking;
  /** Begins a search. @param since the search counts only approvals requested since then, ms; without it, all approvals. */
  readonly look: (workspace: string, since?: number) => Promise<void>;
  readonly stop: () => void;
}

export function useLooking(): Search {
  const [looking, show] = useState<Looking>({ is: "none" });
  const leaving = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    const grow = (isOld: (workspace: string) => boolean): void =>
      show((known) => ("workspace" in known && isOld(known.workspace) ? { ...known, isOld: true } : known));
    const unlisten = [
      follow.onChanges((changes) => {
        const denied = changes.filter(isDenial);
        if (denied.length > 0) grow((workspace) => denied.some((each) => each.workspace === workspace));
      }),
      follow.onResync(() => grow(() => true)),
    ];
    return () => {
      leaving.current?.abort();
      for (const end of unlisten) end();
    };
  }, []);
  const look = async (workspace: string, since?: number): Promise<void> => {
    const own = new AbortController();
    leaving.current?.abort();
    leaving.current = own;
    show({ is: "looking", from: Date.now(), workspace, isOld: false });
    try {
      const found = await ask<Suggestions>("/v1/rules/suggestions", { workspace, since }, own.signal);
      show((known) => ({ is: "found", found, workspace, isOld: "isOld" in known && known.isOld }));
    } catch (error) {
      if (!own.signal.aborted) show({ is: "refused", words: wordsOf(error) });
    }
  };
  const stop = (): void => {
    leaving.current?.abort();
    show({ is: "stopped" });
  };
  return { looking, look, stop };
}

const RULE = "rule:";

/** True for a denial by a person. A denial by a rule is no reason against a suggested rule. */
function isDenial({ entity, from, to, view }: StateChange): boolean {
  if (entity !== "approval" || from === to) return false;
  const { outcome, by = "" } = view as ApprovalView;
  return (to === "denied" || outcome === "denied") && !by.startsWith(RULE);
}

/**
 * Says why a search failed. If a search takes too long, the engine's own message blames the disk. Here the long history is the
 * cause, so the page has a message of its own.
 */
function wordsOf(error: unknown): string {
  const { code, words } = refusal(error);
  return code === "NOT_IN_TIME"
    ? "The engine may not work that long on one search. Choose fewer days, or a quieter time."
    : words;
}
