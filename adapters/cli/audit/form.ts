// Audit form
// What the command `audit` needs of a data folder.
//
//   Owns:          the interface.
//   Does not own:  the files (audit-log, wired by main), the log (runtime/audit).

import type { KeptLog } from "../../../runtime/audit/kept-log.ts";
import type { Signer } from "../../../runtime/tlog/note.ts";

export interface AuditFolder {
  readonly dir: string;
  /** The log of this folder, or of the folder that is given. */
  kept(dir?: string): KeptLog;
  /** Undefined where no engine has begun a log. */
  signer(): Promise<Signer | undefined>;
}
