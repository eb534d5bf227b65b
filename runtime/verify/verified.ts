// Verified
// The types of the input and of the result of a verification.
//
//   Owns:          the shapes of a verification's input and result.
//   Does not own:  running a verification (verify.ts).

import type { Digest, SessionId, WorkspaceId } from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import type { Translate } from "../message.ts";
import type { JournalEntry, Missing, Store } from "../ports.ts";
import type { StoredRows } from "../rows/row-pages.ts";
import type { RowsVerified } from "./rows.ts";

export interface Verifying {
  readonly found: StoredRows;
  /** Returns the journal's entry at a position, as the store counts positions. */
  readonly entry: (position: number) => Promise<JournalEntry | undefined>;
  /** The position of the first entry that was not trimmed. */
  readonly first: () => Promise<number>;
  /** An empty store to replay into. */
  readonly into: Store;
  readonly digest: Digest;
  readonly translate: Translate;
  readonly clients: Clients;
  readonly build: string;
  /** Only differences at this entry or later ones are reported. */
  readonly from?: number;
  /** Only differences in entries and rows of this session are reported. */
  readonly session?: string;
  /** Called now and then with the number of entries replayed so far, and the number of all entries. */
  readonly progress?: (done: number, all: number) => void;
}

export interface Difference {
  readonly position: number;
  /** The entry's time stamp in the journal, ms. */
  readonly at: number;
  readonly workspace?: WorkspaceId;
  readonly session?: SessionId;
  readonly type?: string;
  readonly kept: string;
  readonly found: string;
  /** True if another build may have applied this entry or earlier ones. This alone may be why the result differs. */
  readonly isOtherBuild: boolean;
}

/** A range of entries that are missing in the journal, with other entries before and after. */
export interface Gap extends Missing {
  /**
   * True if the missing entries left proofs: then they were applied, and lost later. If false, they may never have been applied.
   */
  readonly wasApplied: boolean;
}

export interface Verified {
  /** The first and the last entry that was replayed. */
  readonly first: number;
  readonly last: number;
  readonly compared: number;
  /** How many entries were not compared because they may depend on entries that were trimmed from the journal. */
  readonly earlier: number;
  /** How many entries were not compared because they may depend on missing entries. */
  readonly behind: number;
  /** How many entries have no proof, because an older version applied them. */
  readonly unproven: number;
  readonly missing: readonly Gap[];
  readonly differences: readonly Difference[];
  readonly rows: RowsVerified;
}
