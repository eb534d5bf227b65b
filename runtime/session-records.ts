// Session records
// The overlay as one session's machines see it: their own rows and nothing else.
//
//   Owns:          the prefix.
//   Does not own:  the shapes (machines/books).
//
// I-38. No key reaches another session's rows: the prefix is put in front of every one.

import type { Address, Records } from "../machines/index.ts";
import { keys } from "./keys.ts";
import type { Layer } from "./overlay.ts";

export class SessionRecords implements Records {
  readonly #layer: Layer;
  readonly #prefix: string;

  constructor(layer: Layer, session: Address) {
    this.#layer = layer;
    this.#prefix = keys.books(session);
  }

  get(key: string): unknown {
    return this.#layer.get(this.#prefix + key);
  }

  set(key: string, value: unknown): void {
    this.#layer.set(this.#prefix + key, value);
  }

  delete(key: string): void {
    this.#layer.delete(this.#prefix + key);
  }
}
