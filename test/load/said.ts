// Said
// Reads the messages of the load: they carry inputs as they are.
//
//   Owns:          nothing but that reading, and the mark of a message; sending, replaying and judging use the same.
//   Does not own:  which inputs there are (support/sessions/generate).

import { hash } from "node:crypto";
import type { SourceInput } from "../../machines/index.ts";

export const asSaid = (message: { readonly data: unknown }): readonly SourceInput[] =>
  message.data as readonly SourceInput[];

/** By it a message is known again without its text. */
export const markOf = (body: string): string => hash("sha256", body, "hex").slice(0, 16);
