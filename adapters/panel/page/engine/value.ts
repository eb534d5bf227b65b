// Value
// A changing value that the page shows: it lives outside the views, and any number of them watch it.
//
//   Owns:          holding it, telling those who watch.
//   Does not own:  what it means.

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

  /** @returns a function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

/** What a value holds, now and whenever it changes. */
export function useValue<T>(value: Value<T>): T {
  const [, turn] = useState({});
  useEffect(() => {
    const look = (): void => turn({});
    look();
    return value.subscribe(look);
  }, [value]);
  return value.get();
}

/** What is made of a value; looks again only when that is another. @param select must always be the same function. */
export function useSelected<T, S>(value: Value<T>, select: (held: T) => S): S {
  const [selected, setSelected] = useState(() => select(value.get()));
  useEffect(() => {
    const look = (): void => setSelected(() => select(value.get()));
    look();
    return value.subscribe(look);
  }, [value, select]);
  return selected;
}
