// Said
// Reads the messages of the load: they carry inputs as they are.
//
//   Owns:          nothing but that reading; sending and replaying use the same.
//   Does not own:  which inputs there are (support/sessions/generate).

import type { SourceInput } from "../../machines/index.ts";

export const asSaid = (message: { readonly data: unknown }): readonly SourceInput[] =>
  message.data as readonly SourceInput[];
