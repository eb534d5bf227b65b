// Access token
// Who may speak to an engine over HTTP: a token, and the name that its holder goes by.
//
//   Owns:          the shape of it.
//   Does not own:  where tokens are kept (data-folder), hearing of new ones (token-watch), what they open (http).

/** A token, and the name of whoever has it: a person's own name, or, where it counts, `local:USER` or `http:NAME`. */
export interface AccessToken {
  readonly name: string;
  readonly token: string;
  /** It counts on the engine's own machine only. */
  readonly isNearOnly?: boolean;
}
