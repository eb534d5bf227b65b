// Value
// A changing value that the page shows. It is kept outside the views, and any number of views watch it.
//
//   Owns:          holding the value, calling its listeners after a change.
//   Does not own:  what a value stands for.

import { useEffect, useState } from "preact/hooks";

export class Value<T> {
  #value: T;
  readonly #listeners = new Set<() => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of this.#listeners) listener();
  }

  /** @returns a function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What a value holds; the component is drawn again whenever that changes. */
export function useValue<T>(value: Value<T>): T {
  const [, turn] = useState({});
  const held = value.get();
  useEffect(() => {
    const look = (): void => turn({});
    if (value.get() !== held) look();
    return value.subscribe(look);
  }, [value]);
  return held;
}

/**
 * What `select` makes of a value; the component is drawn again only when that result changes.
 * @param select must always be the same function.
 */
export function useSelected<T, S>(value: Value<T>, select: (held: T) => S): S {
  const [selected, setSelected] = useState(() => select(value.get()));
  useEffect(() => {
    const look = (): void => setSelected(() => select(value.get()));
    look();
    return value.subscribe(look);
  }, [value, select]);
  return selected;
}
