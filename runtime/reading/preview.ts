// Preview
// Shows what a decision would change, without making the decision.
//
//   Owns:          applying a message to a layer of rows that is dropped afterwards.
//   Does not own:  the effect of a message (a preview runs an ordinary turn, so that the real decision has the same effect).
//
// PREVIEW-1. A preview writes nothing and notifies nobody. If the same decision is made immediately afterwards, it makes the
//     changes that the preview showed.

import type { Clients } from "../clients.ts";
import { type ApprovalId, type Digest, parseAddress } from "../../machines/index.ts";
import type { StateChange } from "../rows/changes.ts";
import type { Engine } from "../engine/engine.ts";
import { findOwned, type Within } from "./lookup.ts";
import { type OwnMessage, type Translate, writeMessage } from "../message.ts";
import { Layer } from "../rows/overlay.ts";
import type { Clock } from "../ports.ts";
import { Reader } from "./reader.ts";
import { turn } from "../turn/turn.ts";
import { WorkingSet } from "../rows/working-set.ts";

export interface PreviewOptions {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly digest: Digest;
  readonly translate: Translate;
  readonly clients: Clients;
}

export class Preview {
  readonly #options: PreviewOptions;

  constructor(options: PreviewOptions) {
    this.#options = options;
  }

  /**
   * @param interrupt as in a decision: whether the denial also ends the agent's turn.
   * @returns what a denial of the approval would change, in order; undefined for an unknown approval.
   * @throws AmbiguousError if several workspaces have the id and none was named.
   */
  denial(
    approvalId: ApprovalId,
    interrupt: boolean,
    within: Within = {},
  ): readonly StateChange[] | undefined {
    const { engine, clock, ...deps } = this.#options;
    const owner = findOwned(new Reader(engine.store), "approval", approvalId, within);
    if (owner === undefined) return undefined;
    const { workspace, session } = parseAddress(owner);
    const said = { type: "decision", approvalId, decision: "deny", by: "preview", interrupt } as const;
    const message: OwnMessage = { door: "own", workspace, session, said };
    const entry = { position: engine.meta().position + 1, at: clock.now(), body: writeMessage(message) };
    const layer = new Layer(new WorkingSet(engine.store));
    return turn(layer, entry, { ...deps, epoch: engine.epoch }).changes;
  }
}
