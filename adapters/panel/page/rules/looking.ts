// Looking
// Searches for rules that would have answered as people did: on demand, one search at a time, until a person stops the search.
//
//   Owns:          the state of the search for rules, whether its result is still up to date.
//   Does not own:  the search (the engine), how the result is shown (suggested.tsx).
//   Decided in:    docs/decisions/0080-rules-are-suggested-from-answers.md.
//
// RULES-LOOKING-1. A search for rules begins only when a person asks for it.
// RULES-LOOKING-2. The result of a search for rules is marked as old once somebody has denied a call in the searched workspace,
//     which a suggested rule may contradict, or once the page has missed changes.

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

export type Search = ReturnType<typeof useLooking>;

export function useLooking() {
  const [looking, show] = useState<Looking>({ is: "none" });
  const leaving = useRef<AbortController | undefined>(undefined);
  useEffect(() => {
    const grow = (isOld: (workspace: string) => boolean): void =>
      show((known) => ("workspace" in known && isOld(known.workspace) ? { ...known, isOld: true } : known));
    const unlisten = follow.on(
      (changes) => {
        const denied = changes.filter(isDenial);
        if (denied.length > 0) grow((workspace) => denied.some((each) => each.workspace === workspace));
      },
      () => grow(() => true),
    );
    return () => {
      leaving.current?.abort();
      unlisten();
    };
  }, []);
  /** Begins a search. @param since the search counts only approvals requested since then, ms; without it, all approvals. */
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

/** True for a denial that no rule made. What a rule denied says nothing about how people would have answered. */
function isDenial({ entity, from, to, view }: StateChange): boolean {
  if (entity !== "approval" || from === to) return false;
  const { outcome, by = "" } = view as ApprovalView;
  return (to === "denied" || outcome === "denied") && !by.startsWith(RULE);
}

/** Why a search was refused. If it took too long, the engine's own words blame the disk, although the history was too long. */
function wordsOf(error: unknown): string {
  const { code, words } = refusal(error);
  return code === "NOT_IN_TIME"
    ? "The engine did not finish this search in time. Choose fewer days, or search again when the engine is less busy."
    : words;
}
