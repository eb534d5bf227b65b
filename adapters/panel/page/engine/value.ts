// Value
// A value that the page shows and that changes. Any number of views can watch the same value.
//
//   Owns:          storing a value, calling its listeners after a change.
//   Does not own:  what a particular value means.

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

/**
 * A value that the browser keeps, equal in all its windows. If the browser stores nothing, the value lasts as long as the page.
 * @param read reads the stored text; null if none is stored, or if `read` threw.
 * @returns the value, and a function that changes it and stores a text for it.
 */
export function keptValue<T>(
  key: string,
  read: (text: string | null) => T,
): readonly [Value<T>, (next: T, text: string) => void] {
  const look = (): T => {
    try {
      return read(localStorage.getItem(key));
    } catch {
      return read(null);
    }
  };
  const value = new Value(look());
  addEventListener("storage", (event) => {
    if (event.key === key || event.key === null) value.set(look());
  });
  const keep = (next: T, text: string): void => {
    value.set(next);
    try {
      localStorage.setItem(key, text);
    } catch {
      // Nothing is stored.
    }
  };
  return [value, keep];
}

/** What a value holds. The component that calls this hook is drawn again whenever the value changes. */
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

/** What `select` makes of a value. @param select must always be the same function. */
export function useSelected<T, S>(value: Value<T>, select: (held: T) => S): S {
  const [selected, setSelected] = useState(() => select(value.get()));
  useEffect(() => {
    const look = (): void => setSelected(() => select(value.get()));
    look();
    return value.subscribe(look);
  }, [value, select]);
  return selected;
}
