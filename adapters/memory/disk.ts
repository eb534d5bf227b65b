// Memory disk
// The part of the memory implementation that survives a restart: the next store, journal and blobs get the same disk.
//
//   Owns:          the rows, the epoch, the journal's entries, the blobs.
//   Does not own:  reading and writing rows, entries and blobs (store.ts, journal.ts, blobs.ts).

import { Bell } from "../../runtime/bell.ts";
import type { JournalEntry } from "../../runtime/ports.ts";
import { SortedRows } from "../../runtime/sorted-rows.ts";

export class MemoryDisk {
  readonly rows = new SortedRows();
  epoch = 0;
  readonly incarnation: string;
  /** The journal's entries after the position `trimmed`, in order. */
  entries: JournalEntry[] = [];
  trimmed = 0;
  /** The blobs by hash; `at` is when each was last stored, ms. */
  readonly blobs = new Map<string, { readonly text: string; readonly at: number }>();
  /** Wakes waiting readers when entries were added, and when a journal is closed, so that its reader ends. */
  readonly appended = new Bell();

  /** @param incarnation identifies the journal: disks with different incarnations have different journals. */
  constructor(incarnation: string) {
    this.incarnation = incarnation;
  }

  get tail(): number {
    return this.trimmed + this.entries.length;
  }
}
