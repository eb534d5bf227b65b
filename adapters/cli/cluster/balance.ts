// Balance
// Decides when a node gives a partition back to the node that should own it.
//
//   Owns:          how long the spare on that node must have been close behind, how long to wait before the next try.
//   Does not own:  which node should own a partition (placement), the clock: the caller passes the time.
//
// CLI-CLUSTER-BALANCE-1. A partition is given back once the spare on the node that should own it has been close behind for a
//     while, without a break.
// CLI-CLUSTER-BALANCE-2. After that, the node does not try again for a while: another spare may have taken over, or none.

const STEADY_MS = 15_000;
const PAUSE_MS = 120_000;

export class Balance {
  /** Since when the spare has been close behind, by partition, ms. */
  readonly #since = new Map<number, number>();
  readonly #pausedUntil = new Map<number, number>();

  /**
   * @param mayGo whether this node owns the partition, and the spare of the partition's own node is close behind. @param now ms.
   * @returns whether to hand the partition over now.
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
