// Gate
// A gate to wait at until a test opens it.

export class Gate {
  #open = true;
  #waiting: (() => void)[] = [];

  /** Resolves while the gate is open, else once it opens. */
  pass(): Promise<void> {
    return this.#open ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve));
  }

  shut(): void {
    this.#open = false;
  }

  open(): void {
    this.#open = true;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
