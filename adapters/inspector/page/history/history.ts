// History
// A session as the engine's change log tells it: every state entered, with what was seen of it then.
//
//   Owns:          reading the log from its end backwards, following it, the moment chosen.
//   Does not own:  what is shown of a moment.
//
// T1. A moment is a version of the session: what is shown of it is made of the changes up to it, never run again.

import type { StateChange } from "../../../../runtime/changes.ts";
import { ApiError, ask } from "../engine/api.ts";
import { follow } from "../engine/engine.ts";
import { Value } from "../engine/value.ts";

export interface Told {
  /** By version, ascending. */
  readonly changes: readonly StateChange[];
  readonly isLoading: boolean;
  /** The log goes further back than what was read. */
  readonly olderCursor?: string;
  readonly failure?: ApiError;
}

const PAGE = 1_000;

export class History {
  readonly told = new Value<Told>({ changes: [], isLoading: true });
  /** The version looked at; undefined for the newest, whatever it is. */
  readonly moment = new Value<number | undefined>(undefined);
  readonly #workspace: string;
  readonly #session: string;
  readonly #ends: readonly (() => void)[];

  constructor(workspace: string, session: string) {
    this.#workspace = workspace;
    this.#session = session;
    this.#ends = [
      follow.onChanges((changes) => this.#take(changes.filter((change) => this.#isMine(change)))),
      follow.onResync(() => void this.#read(undefined)),
    ];
    void this.#read(undefined);
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  async older(): Promise<void> {
    const { olderCursor, isLoading } = this.told.get();
    if (olderCursor !== undefined && !isLoading) await this.#read(olderCursor);
  }

  #isMine({ workspace, sessionId }: StateChange): boolean {
    return workspace === this.#workspace && sessionId === this.#session;
  }

  async #read(cursor: string | undefined): Promise<void> {
    const { failure: _, ...before } = this.told.get();
    this.told.set({ ...before, isLoading: true });
    try {
      const path = `/v1/sessions/${this.#session}/history`;
      const page = await ask<{ items: readonly StateChange[]; nextCursor?: string }>(path, {
        workspace: this.#workspace,
        limit: PAGE,
        cursor,
      });
      // An older page goes on from what was read before: it alone says whether there is more.
      const { olderCursor: _cursor, ...now } = this.told.get();
      this.told.set({
        ...now,
        changes: merged(now.changes, page.items),
        isLoading: false,
        ...(page.nextCursor !== undefined && { olderCursor: page.nextCursor }),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.told.set({ ...this.told.get(), isLoading: false, failure: error });
    }
  }

  #take(changes: readonly StateChange[]): void {
    if (changes.length === 0) return;
    const now = this.told.get();
    this.told.set({ ...now, changes: merged(now.changes, changes) });
  }
}

/** Both lists as one by version, each change once. */
function merged(known: readonly StateChange[], more: readonly StateChange[]): readonly StateChange[] {
  const last = known.at(-1)?.version ?? 0;
  if (more.every(({ version }, index) => version > (more[index - 1]?.version ?? last)))
    return [...known, ...more];
  const byVersion = new Map([...known, ...more].map((change) => [change.version, change]));
  return [...byVersion.values()].sort((a, b) => a.version - b.version);
}

/** The changes up to a moment. */
export function upTo(changes: readonly StateChange[], moment: number | undefined): readonly StateChange[] {
  return moment === undefined ? changes : changes.filter(({ version }) => version <= moment);
}

/** The last thing said of each actor, in the order in which they were first heard of. */
export function lastOfEach(changes: readonly StateChange[]): ReadonlyMap<string, StateChange> {
  const last = new Map<string, StateChange>();
  for (const change of changes) last.set(`${actorKind(change)}/${change.id}`, change);
  return last;
}

/** A callback is a region of its request. */
function actorKind({ entity }: StateChange): string {
  return entity === "callback" ? "request" : entity;
}
