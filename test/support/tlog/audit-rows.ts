// Audit rows
// An engine that has audit rows and nothing else, and a log that follows it.
//
//   Owns:          making rows, losing some.
//   Does not own:  the log.

import { AuditLog, type LogFiles, logSigner } from "../../../adapters/audit-log/index.ts";
import { MemoryDisk } from "../../../adapters/memory/index.ts";
import type { Range } from "../../../runtime/ports.ts";
import { keys } from "../../../runtime/rows/keys.ts";
import { ManualClock } from "../engine/manual-clock.ts";

const SEED = Buffer.alloc(32, 7).toString("base64url");
export const SIGNER = logSigner(SEED);

export class AuditRows {
  readonly disk = new MemoryDisk("rows");
  readonly store = {
    get: (key: string): string | undefined => this.disk.rows.get(key),
    range: (range: Range): Iterable<readonly [key: string, value: string]> => this.disk.rows.range(range),
  };
  readonly clock = new ManualClock(1_800_000_000_000);
  audits = 0;
  incarnation = "store-1";

  /** @param make what is special about each. */
  add(count: number, make: (n: number) => object = () => ({})): void {
    for (let left = count; left > 0; left -= 1) {
      const n = (this.audits += 1);
      const row = {
        ...{
          n,
          workspace: "w",
          sessionId: `s${n % 3}`,
          position: n,
          kind: "decision",
          at: this.clock.now() + n,
        },
        ...{ approvalId: `a${n}`, callId: `c${n}`, by: "local:ann", decision: "approve", tool: "Bash" },
        ...make(n),
      };
      this.disk.rows.set(keys.audit(n), JSON.stringify(row));
    }
  }

  lose(n: number): void {
    this.disk.rows.delete(keys.audit(n));
  }

  meta(): { readonly audits: number } {
    return { audits: this.audits };
  }

  log(files: LogFiles, seed = SEED): AuditLog {
    const signer = () => Promise.resolve(logSigner(seed));
    return new AuditLog({ engine: this, clock: this.clock, files, signer, onError: () => undefined });
  }
}
