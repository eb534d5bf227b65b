// Related actors
// Links from one actor to those it belongs with: its session, its request, its call, its approval.
//
//   Owns:          the links.
//   Does not own:  what is known of the actor (machine.tsx).

import type { MachineKind } from "./definition.ts";
import { hrefOf } from "../route.ts";

interface Props {
  readonly workspace: string;
  readonly session: string;
  readonly kind: MachineKind;
  readonly id: string;
  readonly view: unknown;
}

/** The ids of other actors that a view of a session, request, call or approval has. */
interface ViewIds {
  readonly requestId?: string;
  readonly callId?: string;
  readonly approval?: { readonly id: string };
}

export function RelatedActors({ workspace, session, kind, id, view }: Props) {
  const { requestId, callId, approval } = (view ?? {}) as ViewIds;
  const call = kind === "call" ? id : callId;
  const others: readonly (readonly [MachineKind, string | undefined])[] = [
    ["session", session],
    ["request", requestId],
    ["call", callId],
    ["approval", approval?.id],
  ];
  return (
    <nav class="chips" aria-label="Around it">
      <a
        class="chip"
        href={hrefOf({ view: "session", workspace, session, ...(call !== undefined && { call }) })}
      >
        in its session
      </a>
      {others.map(
        ([other, its]) =>
          its !== undefined &&
          other !== kind && (
            <a
              key={other}
              class="chip"
              href={hrefOf({ view: "machine", workspace, session, kind: other, id: its })}
            >
              {other}’s state diagram
            </a>
          ),
      )}
    </nav>
  );
}
