// Call home
// Finds the session in which an approval is requested, if the asker knows the call but not the call's session.
//
//   Owns:          finding the call, and waiting for a moment if the engine does not know the call yet.
//   Does not own:  ids that several actors have (lookup), requesting the approval (gate).
//
// CALL-HOME-1. If the engine knows the call, its approval is requested in the call's session; otherwise, in a session that the
//     asker names.
// CALL-HOME-2. If an asker requests the same approval again, the approval stays in its first session, whatever the engine has
//     since learnt about the call.

import { type Address, isId, parseAddress, type SessionId } from "../../machines/index.ts";
import { homesOf } from "../door/workspace.ts";
import type { Engine } from "../engine/engine.ts";
import { AmbiguousError } from "../errors/ambiguous.ts";
import { toId } from "../foreign-id.ts";
import type { Clock } from "../ports.ts";
import { findCall, findOwned, type Within } from "../reading/lookup.ts";
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

/** The workspace of a service's new session, if the service names no workspace. */
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

  /** @param workspace the only workspace to search; if undefined, all workspaces are searched. @throws AmbiguousError */
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

  /**
   * The session in which the approval was requested before. If the asker does not know the call's id, the earlier request
   * counts only if it is in the session that the asker names.
   */
  #askedIn(approvalId: string, { session, toolUseId }: Unplaced, hint: Within): Home | undefined {
    const found = findOwned(new Reader(this.#engine.store), "approval", approvalId, hint);
    const home = found && homeAt(found);
    return toolUseId !== undefined || home?.session === session ? home : undefined;
  }

  /** The workspace of the session that a service names (WORKSPACE-4). @throws AmbiguousError */
  workspaceOf(session: string): string {
    const id = session as SessionId;
    const homes = isId(session) ? homesOf(this.#engine.store, id, undefined) : [];
    if (homes.length > 1)
      throw new AmbiguousError(
        session,
        homes.map((workspace) => ({ workspace, sessionId: id, id })),
      );
    return homes[0] ?? NOWHERE;
  }
}

function homeAt(address: Address): Home {
  const { session, workspace } = parseAddress(address);
  return { session, workspace };
}
