// Companions
// Adds to the view of an approval what a list shows with the approval, such as its call, so that no further query is needed.
//
//   Owns:          what can be added to the view of an approval (the companions).
//   Does not own:  the views of the companions (views), reading rows (reader).
//
// COMPANIONS-1. To add one companion, the engine reads one or two rows, however large the session is.

import { childAddress, sessionAddress } from "../../machines/index.ts";
import { RefusedError } from "../errors/errors.ts";
import type { Found, Reader } from "./reader.ts";
import type { ApprovalView, CallView, SessionView } from "../rows/views.ts";

const COMPANIONS = ["call", "session"] as const;
type Companion = (typeof COMPANIONS)[number];
export type Companions = ReadonlySet<Companion>;

/** A call as it is shown beside its approval: without the input, because the approval already shows it. */
export type CallBeside = CallView & { readonly workspace: string };

export interface CompanionViews {
  readonly call?: CallBeside;
  readonly session?: SessionView;
}

export const NOBODY: Companions = new Set();

/** Parses a list of companions such as `call,session`. @throws RefusedError BAD_PARAMETER */
export function companionsIn(text: string | undefined): Companions {
  const named = text?.split(",") ?? [];
  const known = COMPANIONS.filter((each) => named.includes(each));
  // `known` is as long as `named` only if every given name is known and none is given twice.
  if (known.length === named.length) return new Set(known);
  throw new RefusedError(
    "BAD_PARAMETER",
    `The parameter "with" is not a list of ${COMPANIONS.join(", ")}.`,
    "Name each item once, separated by commas, or leave the parameter out.",
    "with",
  );
}

/** Adds the wanted companions to the view of an approval. A companion that does not exist is left out. */
export function withCompanions(
  reader: Reader,
  { where }: Found,
  view: ApprovalView,
  companions: Companions,
): ApprovalView & CompanionViews {
  const home = sessionAddress(where.workspace, where.session);
  const { callId } = view;
  const call =
    companions.has("call") && callId !== undefined
      ? reader.actor(childAddress(home, "call", callId))
      : undefined;
  const session = companions.has("session") ? reader.actor(home) : undefined;
  return {
    ...view,
    ...(call && { call: { workspace: where.workspace, ...withoutInput(reader.call(call)) } }),
    ...(session && { session: reader.session(session) }),
  };
}

function withoutInput(view: CallView): CallView {
  const {
    input: _input,
    ranInput: _ran,
    ...rest
  } = view as CallView & { input?: unknown; ranInput?: unknown };
  return rest;
}
