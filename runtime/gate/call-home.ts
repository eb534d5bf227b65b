// Call home
// Finds the session of a call whose asker does not know the session.
//
//   Owns:          finding the call, and waiting a moment until the journal has it.
//   Does not own:  ids that mean several things (lookup), requesting the approval (gate).
//
// CALL-HOME-1. The approval of a known call is requested in the call's own session. The approval of an unknown call is requested
//     in the session that its asker made up.
// CALL-HOME-2. If an asker asks again, the approval stays in the session in which it was requested first, whatever the engine has
//     learnt about the call since.

import { type Address, parseAddress } from "../../machines/index.ts";
import type { Engine } from "../engine/engine.ts";
import { toId } from "../foreign-id.ts";
import type { Clock } from "../ports.ts";
import { findCall, findOwned, findSession, type Within } from "../reading/lookup.ts";
import { Reader } from "../reading/reader.ts";
import { anyNews, waitFor } from "../wait-for.ts";
import { GATE_MS } from "./times.ts";
import type { Waiters } from "./waiters.ts";

export interface Unplaced {
  /** The session to use if the engine does not know the call. */
  readonly session: string;
  readonly toolUseId?: string;
}

interface Home {
  readonly session: string;
  readonly workspace?: string;
}

/** The workspace of a service's new session, if none is named. */
const NOWHERE = "workspace";

export class CallHome {
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #waiters: Waiters;

  constructor(engine: Engine, clock: Clock, waiters: Waiters) {
    this.#engine = engine;
    this.#clock = clock;
    this.#waiters = waiters;
  }

  /** @param workspace the only one to search; all if undefined. @throws AmbiguousError */
  async of(approvalId: string, unplaced: Unplaced, workspace: string | undefined): Promise<Home> {
    const { session, toolUseId } = unplaced;
    const hint = workspace === undefined ? {} : { workspace };
    const first = this.#askedIn(approvalId, unplaced, hint);
    if (first !== undefined) return first;
    if (toolUseId === undefined) return { session };
    const id = toId(toolUseId);
    const look = () => findCall(new Reader(this.#engine.store), id, hint);
    let found = look();
    if (found === undefined) {
      const told = this.#waiters.of({ entity: "toolcall", id, workspace });
      await waitFor(told, anyNews, { clock: this.#clock, ms: GATE_MS.told });
      found = look();
    }
    return found === undefined ? { session } : homeAt(found);
  }

  /** The session of an earlier ask. Without the call's id, only the session that its asker made up identifies it. */
  #askedIn(approvalId: string, { session, toolUseId }: Unplaced, hint: Within): Home | undefined {
    const found = findOwned(new Reader(this.#engine.store), "approval", approvalId, hint);
    const home = found && homeAt(found);
    return toolUseId !== undefined || home?.session === session ? home : undefined;
  }

  /** The workspace of a service's session. @throws AmbiguousError */
  workspaceOf(session: string): string {
    const found = findSession(new Reader(this.#engine.store), session, {});
    return found === undefined ? NOWHERE : parseAddress(found).workspace;
  }
}

function homeAt(address: Address): Home {
  const { session, workspace } = parseAddress(address);
  return { session, workspace };
}
