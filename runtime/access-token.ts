// Access token
// A token that lets its holder speak to an engine over HTTP, and the name that it gives the holder.
//
//   Owns:          its shape.
//   Does not own:  where tokens are kept (data-folder), noticing new ones (token-watch), what they allow (http).

/** A token, and its holder's name: a person's own name, or, where it counts, `local:USER` or `http:NAME`. */
export interface AccessToken {
  readonly name: string;
  readonly token: string;
  /** It counts on the engine's own machine only. */
  readonly isNearOnly?: boolean;
}
