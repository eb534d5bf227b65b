// Shown
// How an approval stood, as the engine told it: in a view while the chaos went on, or in the export at its end.
//
//   Owns:          reading both into one shape.
//   Does not own:  whether it is true (judge).

import { at, listAt, textAt } from "../support/engine/json.ts";
import { jsonLines } from "../support/processes/program.ts";

/** When it was asked for and read, by the book's clock. */
export interface Read {
  readonly askedAt: number;
  readonly readAt: number;
}

export interface Shown extends Read {
  readonly from: "view" | "export";
  readonly id: string;
  readonly mark: string;
  readonly session: string;
  readonly state: string;
  readonly input: unknown;
  readonly inputHash: string | undefined;
  readonly by: string | undefined;
  readonly message: string | undefined;
  readonly updatedInput: unknown;
  readonly closedAt: number | undefined;
  /** Reported from elsewhere, not decided here. */
  readonly isObserved: boolean;
  /** What its asker told that it had answered by itself; `ask`: its client's own dialog. */
  readonly lapsedSaid: string | undefined;
  /** Those who answered too late. */
  readonly others: readonly { readonly by: string; readonly verdict: string }[];
}

export function shownIn(view: unknown, from: Shown["from"], read: Read): Shown {
  const closedAt = at(view, "closedAt");
  return {
    from,
    ...read,
    id: textAt(view, "id") ?? "",
    mark: markIn(at(view, "input")),
    session: textAt(view, "sessionId") ?? "",
    state: textAt(view, "state") ?? "",
    input: at(view, "input"),
    inputHash: textAt(view, "inputHash"),
    by: textAt(view, "by"),
    message: textAt(view, "message"),
    updatedInput: at(view, "updatedInput", "input"),
    closedAt: typeof closedAt === "number" ? closedAt : undefined,
    isObserved: at(view, "observed") === true,
    lapsedSaid: textAt(view, "lapsed", "said"),
    others: listAt(view, "others").map((each) => ({
      by: textAt(each, "by") ?? "",
      verdict: textAt(each, "decision") ?? "",
    })),
  };
}

/** A played client's calls carry it as a description, a real one's as well. */
export const markIn = (input: unknown): string => textAt(input, "description") ?? "";

export const exportedIn = (exported: string, read: Read): readonly Shown[] =>
  jsonLines(exported)
    .filter((line) => textAt(line, "kind") === "approval")
    .map((line) => shownIn(line, "export", read));
