// Audit form
// What the command `audit` needs of a data folder.
//
//   Owns:          the interface.
//   Does not own:  the files (audit-log, wired by main), the log (runtime/audit).

import type { KeptLog } from "../../../runtime/audit/kept-log.ts";
import type { Signer } from "../../../runtime/tlog/note.ts";

export interface AuditFolder {
  readonly dir: string;
  /** The audit log in `dir`, or of this data folder. */
  kept(dir?: string): KeptLog;
  /** Undefined if no engine has begun an audit log. */
  signer(): Promise<Signer | undefined>;
}
