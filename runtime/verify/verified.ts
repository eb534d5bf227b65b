// Verified
// The input and the result of a verification.
//
//   Owns:          the shapes.
//   Does not own:  finding out what the result says (verify.ts does that).

import type { Digest, SessionId, WorkspaceId } from "../../machines/index.ts";
import type { Clients } from "../clients.ts";
import type { Translate } from "../message.ts";
import type { JournalEntry, Missing, Store } from "../ports.ts";
import type { Found } from "./pages.ts";
import type { RowsVerified } from "./rows.ts";

export interface Verifying {
  readonly found: Found;
  /** The journal's entries, by the position that the store counts. */
  readonly entry: (position: number) => Promise<JournalEntry | undefined>;
  /** The position of the first entry that was not trimmed. */
  readonly first: () => Promise<number>;
  /** An empty store to replay into. */
  readonly into: Store;
  readonly digest: Digest;
  readonly translate: Translate;
  readonly clients: Clients;
  readonly build: string;
  /** Only entries from here on are named. */
  readonly from?: number;
  /** Only entries and rows of this session are named. */
  readonly session?: string;
  /** Called now and then with the number of replayed entries, and of all entries. */
  readonly progress?: (done: number, all: number) => void;
}

export interface Difference {
  readonly position: number;
  /** The time by the journal's stamp, ms. */
  readonly at: number;
  readonly workspace?: WorkspaceId;
  readonly session?: SessionId;
  readonly type?: string;
  readonly kept: string;
  readonly found: string;
  /** True if another build ran before or at this entry, which alone may be the reason. */
  readonly isOtherBuild: boolean;
}

/** Entries that are missing in the journal between others. */
export interface Gap extends Missing {
  /** True if the entries left proofs, so they were lost after they had been applied. Otherwise they may have been lost before. */
  readonly wasApplied: boolean;
}

export interface Verified {
  /** The first and the last entry that was replayed. */
  readonly first: number;
  readonly last: number;
  readonly compared: number;
  /** How many entries depend on entries that are no longer there, such as those of sessions that began before the replay. */
  readonly earlier: number;
  /** How many entries depend on missing entries. */
  readonly behind: number;
  /** How many entries have no proof, because an older version applied them. */
  readonly unproven: number;
  readonly missing: readonly Gap[];
  readonly differences: readonly Difference[];
  readonly rows: RowsVerified;
}
