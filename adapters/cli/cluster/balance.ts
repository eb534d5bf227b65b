// Balance
// Decides when a node hands a partition that it owns to the node that the placement names as the partition's owner.
//
//   Owns:          for how long the spare that is to take over must have kept up, how long to wait between hand-overs.
//   Does not own:  which node should own a partition (placement), the clock: the caller passes the time.
//
// CLI-CLUSTER-BALANCE-1. A node hands a partition to the node that should own it once the spare on that node has been close
//     behind the owner for 15 seconds without a break.
// CLI-CLUSTER-BALANCE-2. After an attempt to hand a partition over, successful or not, a node waits for two minutes before it
//     tries again to hand over this partition.

const STEADY_MS = 15_000;
const PAUSE_MS = 120_000;

export class Balance {
  readonly #since = new Map<number, number>();
  readonly #pausedUntil = new Map<number, number>();

  /**
   * True if the node should try to hand the partition over now; the next try is then due after a pause (CLI-CLUSTER-BALANCE-2).
   * @param mayGo true if this node owns the partition, and the spare on the node that should own it is close behind.
   */
  isDue(partition: number, mayGo: boolean, now: number): boolean {
    if (!mayGo) {
      this.#since.delete(partition);
      return false;
    }
    const since = this.#since.get(partition) ?? now;
    this.#since.set(partition, since);
    if (now - since < STEADY_MS || now < (this.#pausedUntil.get(partition) ?? 0)) return false;
    this.#since.delete(partition);
    this.#pausedUntil.set(partition, now + PAUSE_MS);
    return true;
  }
}
