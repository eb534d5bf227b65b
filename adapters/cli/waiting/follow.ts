// Following the approvals
// Keeps up with the pending approvals, and tells of each that comes or goes.
//
//   Owns:          combining the list with the stream of changes, across restarts of the engine.
//   Does not own:  how it is told (telling.ts), the stream itself (client.ts).
//
// WAITING-FOLLOW-1. Each approval is told once when it comes, if it is still pending then, and once when it goes; what
//     happened while the engine was away is told when it is back.

import type { ApprovalAnswer } from "../answers.ts";
import { Away, type Client, type Followed } from "../client.ts";
import { Failure } from "../failure.ts";
import { untilAnswered } from "../patience.ts";
import {
  approvalOf,
  type Found,
  type ApprovalRef,
  type ShownApproval,
  shownApprovalOf,
  waitingOf,
} from "../approval/index.ts";
import type { WaitingList } from "./list.ts";

export interface Telling {
  /** `isNew`: it was asked while we followed. */
  readonly came: (shown: ShownApproval, isNew: boolean) => void;
  readonly left: (approval: ApprovalAnswer) => void;
  /** The list matches the engine's. */
  readonly ready: () => void;
  /** The engine is away; it is asked again. */
  readonly lost: () => void;
  /** An approval that could not be read. */
  readonly failed: (failure: Failure) => void;
}

export interface FollowOptions {
  readonly client: Client;
  readonly workspace: string | undefined;
  readonly list: WaitingList;
  readonly telling: Telling;
  readonly signal: AbortSignal;
}

/** Goes on until `signal` is aborted. @throws Failure when there is no engine at first. */
export async function followApprovals(options: FollowOptions): Promise<void> {
  const { client, workspace, signal } = options;
  const following = new Following(options);
  for await (const followed of client.follow({ entity: "approval", workspace }, signal)) {
    try {
      await following.hear(followed);
    } catch (error) {
      // On the way out, pending queries no longer matter.
      if (signal.aborted && error instanceof Away) return;
      throw error;
    }
  }
}

class Following {
  readonly #options: FollowOptions;
  #isFirst = true;

  constructor(options: FollowOptions) {
    this.#options = options;
  }

  async hear(followed: Followed): Promise<void> {
    const { telling, list } = this.#options;
    if (followed.type === "lost") {
      telling.lost();
      return;
    }
    if (followed.type !== "change") return this.#compare();
    const { change } = followed;
    if (change.to === "pending") return this.#look(change);
    if (change.to !== "annotated" && list.find(change)) return this.#goes(change);
  }

  /** Compares the engine's list with ours. */
  async #compare(): Promise<void> {
    const { client, workspace, list, telling } = this.#options;
    const waiting = await this.#ask(() => waitingOf(client, workspace));
    const nameOf = ({ workspace, id }: ApprovalAnswer): string => `${workspace}/${id}`;
    const names = new Set(waiting.map(({ approval }) => nameOf(approval)));
    for (const { approval } of list.all) if (!names.has(nameOf(approval))) await this.#goes(approval);
    for (const found of waiting) if (!list.find(found.approval)) await this.#comes(found);
    this.#isFirst = false;
    telling.ready();
  }

  /** The change has only a short form of the approval, and may be older than its answer. */
  async #look({ id, workspace }: ApprovalRef): Promise<void> {
    const { client, list } = this.#options;
    if (list.find({ id, workspace })) return;
    const found = await this.#ask(() => approvalOf(client, { id, workspace }));
    if (found?.approval.state === "pending") await this.#comes(found);
  }

  async #comes(found: Found): Promise<void> {
    const { client, list, telling } = this.#options;
    try {
      const shown = await this.#ask(() => shownApprovalOf(client, found));
      list.add(shown);
      telling.came(shown, !this.#isFirst);
    } catch (error) {
      if (!(error instanceof Failure) || error instanceof Away) throw error;
      telling.failed(error);
    }
  }

  async #goes({ id, workspace }: ApprovalRef): Promise<void> {
    const { client, list, telling } = this.#options;
    const known = list.find({ id, workspace })?.approval;
    const approval = (await this.#ask(() => approvalOf(client, { id, workspace })))?.approval;
    if (approval?.state === "pending") return;
    list.remove({ id, workspace });
    // An approval removed meanwhile is not pending either.
    if (approval) telling.left(approval);
    else if (known) telling.left({ ...known, state: "withdrawn" });
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    const { signal, telling } = this.#options;
    return untilAnswered(ask, { stallMs: Infinity, signal, onStall: () => telling.lost() });
  }
}
