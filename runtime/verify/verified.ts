// Verified
// What a verification is given, and what it says.
//
//   Owns:          the shapes.
//   Does not own:  verifying (verify).

import type { Digest, SessionId, WorkspaceId } from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import type { Translate } from "../message.ts";
import type { JournalEntry, Missing, Store } from "../ports.ts";
import type { Found } from "./pages.ts";
import type { RowsVerified } from "./rows.ts";

export interface Verifying {
  /** The findings. */
  readonly found: Found;
  /** The journal's entries, by position as the store counts. */
  readonly entry: (position: number) => Promise<JournalEntry | undefined>;
  /** The position of the first entry that was not trimmed. */
  readonly first: () => Promise<number>;
  /** An empty store to replay into. */
  readonly into: Store;
  readonly digest: Digest;
  readonly translate: Translate;
  readonly clients: Clients;
  /** The build that replays. */
  readonly build: string;
  /** Only entries from here on are named. */
  readonly from?: number;
  /** Only entries and rows of this session are named. */
  readonly session?: string;
  /** Called now and then with how many of all entries have been replayed. */
  readonly progress?: (done: number, all: number) => void;
}

/** An entry that led to something else. */
export interface Difference {
  readonly position: number;
  /** The journal's stamp, ms. */
  readonly at: number;
  readonly workspace?: WorkspaceId;
  readonly session?: SessionId;
  readonly type?: string;
  /** What was kept, and what the replay came to. */
  readonly kept: string;
  readonly found: string;
  /** Another build was at work before it or when it was applied: that alone may be the reason. */
  readonly isOtherBuild: boolean;
}

/** Entries that are not in the journal, though later and earlier ones are. */
export interface Gap extends Missing {
  /** They left proofs: they were lost after they had been applied. Else they may have been lost before. */
  readonly wasApplied: boolean;
}

export interface Verified {
  /** The entries that were replayed. */
  readonly first: number;
  readonly last: number;
  readonly compared: number;
  /** Entries of sessions that began before the replay does, and of what else depends on what is no longer there. */
  readonly earlier: number;
  /** Entries that depend on missing ones. */
  readonly behind: number;
  /** Entries without a proof: an older version applied them. */
  readonly unproven: number;
  /** In order. */
  readonly missing: readonly Gap[];
  readonly differences: readonly Difference[];
  readonly rows: RowsVerified;
}
