// Following the approvals
// Follows the pending approvals, and reports when one is requested, changes, or is no longer pending.
//
//   Owns:          combining the list of approvals with the change stream, even if the engine restarts; which news is reported.
//   Does not own:  the form of a report (telling.ts), the change stream (client.ts), how long a report is held back (held-words).
//
// WAITING-FOLLOW-1. Each new approval is reported once, unless it has ended before the report, and once more when it is no longer
//     pending. What happens while the engine does not answer is reported when the engine answers again.
// WAITING-FOLLOW-2. The report of a new approval is held back for a moment, until the agent's own message, which says why, has
//     arrived (HELD-WORDS-1). Later the command reports three kinds of news about the approval: better words for the intent,
//     that an answer in Signalbox now reaches the agent, and a changed assignment.

import type { Clock } from "../../../runtime/ports.ts";
import { HeldForWords } from "../../../runtime/text/held-words.ts";
import { type ApprovalAnswer, callAnswer, type ChangeAnswer } from "../answers.ts";
import { Away, type Client, type Followed } from "../client.ts";
import { Failure } from "../failures/failure.ts";
import { untilAnswered } from "../patience.ts";
import {
  approvalOf,
  type ApprovalRef,
  type Found,
  type ShownApproval,
  shownApprovalOf,
  waitingOf,
} from "../approval/read.ts";
import type { More } from "../approval/text.ts";
import { InTurn } from "./in-turn.ts";
import type { WaitingList } from "./list.ts";
import { isOutOfReach } from "../../../runtime/channels.ts";

export interface Telling {
  /** `isNew`: the approval was requested while this command followed. */
  readonly came: (shown: ShownApproval, isNew: boolean) => void;
  readonly changed: (shown: ShownApproval, more: More) => void;
  readonly left: (approval: ApprovalAnswer) => void;
  /** Called each time the list again matches the engine's list: at the start, and after a lost connection. */
  readonly ready: () => void;
  /** Called when the engine does not answer. The command goes on trying. */
  readonly lost: () => void;
  readonly failed: (failure: Failure) => void;
}

export interface FollowOptions {
  readonly client: Client;
  readonly workspace: string | undefined;
  readonly list: WaitingList;
  readonly telling: Telling;
  readonly signal: AbortSignal;
  readonly after: Clock["after"];
}

/** Follows until `signal` is aborted. @throws Failure if no engine answers at first. */
export async function followApprovals(options: FollowOptions): Promise<void> {
  const { client, workspace, signal } = options;
  const turns = new InTurn(signal);
  const following = new Following(options, turns);
  try {
    // Changes of calls are read, too, because they have the agent's words that say why it makes the call.
    for await (const followed of client.follow({ workspace }, turns.signal))
      await turns.take(() => following.hear(followed));
    turns.check();
  } catch (error) {
    // If the command is ending, it no longer matters that a query failed.
    if (!(signal.aborted && error instanceof Away)) throw error;
  } finally {
    following.end();
  }
}

const nameOf = ({ workspace, id }: Pick<ApprovalAnswer, "workspace" | "id">): string => `${workspace}/${id}`;

class Following {
  readonly #options: FollowOptions;
  readonly #held: HeldForWords<Found>;
  #isFirst = true;

  constructor(options: FollowOptions, turns: InTurn) {
    this.#options = options;
    this.#held = new HeldForWords(options.after, (found) => turns.add(() => this.#comes(found, true)));
  }

  end(): void {
    this.#held.clear();
  }

  async hear(followed: Followed): Promise<void> {
    const { telling } = this.#options;
    if (followed.type === "lost") telling.lost();
    else if (followed.type !== "change") await this.#compare();
    else if (followed.change.entity === "approval") await this.#hearApproval(followed.change);
    else if (followed.change.entity === "toolcall") await this.#hearCall(followed.change);
  }

  async #hearApproval(change: ChangeAnswer): Promise<void> {
    const { list } = this.#options;
    const isKnown = list.find(change) !== undefined;
    if (change.to === "annotated" ? isKnown || this.#held.has(nameOf(change)) : change.to === "pending")
      return this.#look(change);
    if (change.to === "annotated") return;
    this.#held.drop(nameOf(change));
    if (isKnown) await this.#goes(change);
  }

  async #hearCall({ workspace, sessionId, id, view }: ChangeAnswer): Promise<void> {
    const isOf = ({ approval }: Found): boolean =>
      approval.workspace === workspace && approval.sessionId === sessionId && approval.callId === id;
    const found = [...this.#held.all, ...this.#options.list.all].find(isOf);
    if (found && isMoreKnown(found, { ...found, call: callAnswer.parse(view) }))
      await this.#look(found.approval);
  }

  async #compare(): Promise<void> {
    const { client, workspace, list, telling } = this.#options;
    const waiting = await this.#ask(() => waitingOf(client, workspace));
    const names = new Set(waiting.map(({ approval }) => nameOf(approval)));
    for (const { approval } of this.#held.all)
      if (!names.has(nameOf(approval))) this.#held.drop(nameOf(approval));
    for (const { approval } of list.all) if (!names.has(nameOf(approval))) await this.#goes(approval);
    for (const found of waiting) await this.#take(found);
    this.#isFirst = false;
    telling.ready();
  }

  async #look(named: ApprovalRef): Promise<void> {
    const found = await this.#pending(named);
    if (found) await this.#take(found);
  }

  /** Reads the approval anew: a change has only a short form of it, and it may have been answered since. */
  async #pending({ id, workspace }: ApprovalRef): Promise<Found | undefined> {
    const found = await this.#ask(() => approvalOf(this.#options.client, { id, workspace }));
    return found?.approval.state === "pending" ? found : undefined;
  }

  async #take(found: Found): Promise<void> {
    const known = this.#options.list.find(found.approval);
    if (known) this.#learns(known, found);
    // Approvals that were pending before the command began are shown at once, without waiting for the agent's words.
    else if (this.#isFirst) await this.#comes(found, false);
    else this.#held.put(nameOf(found.approval), found);
  }

  #learns(known: ShownApproval, found: Found): void {
    const { list, telling } = this.#options;
    const more = moreOf(known, found);
    const shown = { ...known, ...found };
    list.replace(shown);
    if (more.words || more.reach || more.assigned) telling.changed(shown, more);
  }

  async #comes(found: Found, isNew: boolean): Promise<void> {
    const { client, list, telling } = this.#options;
    if (list.find(found.approval)) return;
    try {
      // While this function waited until it could run (InTurn), the new approval may have ended.
      const pending = isNew ? await this.#pending(found.approval) : found;
      if (!pending) return;
      const shown = await this.#ask(() => shownApprovalOf(client, pending));
      list.add(shown);
      telling.came(shown, isNew);
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
    // An approval that was removed meanwhile is reported as withdrawn, because its last known state was pending.
    if (approval) telling.left(approval);
    else if (known) telling.left({ ...known, state: "withdrawn" });
  }

  #ask<T>(ask: () => Promise<T>): Promise<T> {
    const { signal, telling } = this.#options;
    return untilAnswered(ask, { stallMs: Infinity, signal, onStall: () => telling.lost() });
  }
}

const moreOf = (known: Found, now: Found): More => ({
  words: now.call?.intent !== undefined && now.call.intent.text !== known.call?.intent?.text,
  reach: isOutOfReach(known.approval) && !isOutOfReach(now.approval),
  assigned: known.approval.assigned?.at !== now.approval.assigned?.at,
});

/** Whether the intent of the approval's call is new, has another text or comes from another source. */
const isMoreKnown = ({ call: before }: Found, { call }: Found): boolean =>
  before?.intent?.text !== call?.intent?.text || before?.intent?.source !== call?.intent?.source;
