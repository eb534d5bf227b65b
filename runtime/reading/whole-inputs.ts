// Whole inputs
// Tool inputs that are kept as blobs, put back where a person asked for the whole of something.
//
//   Owns:          reading them for a view; saying that one is not there, or is not what it was.
//   Does not own:  the views themselves (views), blobs (ports).
//
// WHOLE-INPUTS-1. A blob that is lost or damaged is said so where its input would stand, and harms nothing else.

import { InvariantViolation } from "../errors.ts";
import type { Blobs } from "../ports.ts";
import type { InputMissing } from "../rows/views.ts";

/** An input as a view has it: with its length where it stands elsewhere. */
interface Part {
  readonly inputHash?: string;
  readonly inputBytes?: number;
}

/** What is found under the hash. */
interface Found {
  readonly input?: unknown;
  readonly inputMissing?: InputMissing;
}

/** @param view made to be whole: an input of which it has the length only is a blob. */
export async function withInputs<V extends object>(blobs: Blobs | undefined, view: V): Promise<V & Found> {
  const { ranInput, updatedInput }: { readonly ranInput?: Part; readonly updatedInput?: Part } = view;
  return {
    ...(await filled(blobs, view)),
    ...(ranInput && { ranInput: await filled(blobs, ranInput) }),
    ...(updatedInput && { updatedInput: await filled(blobs, updatedInput) }),
  };
}

async function filled<P extends object>(blobs: Blobs | undefined, part: P): Promise<P & Found> {
  const { inputHash, inputBytes }: Part = part;
  if (inputHash === undefined || inputBytes === undefined) return part;
  return { ...part, ...(await read(blobs, inputHash)) };
}

async function read(blobs: Blobs | undefined, inputHash: string): Promise<Found> {
  try {
    const text = await blobs?.get(inputHash);
    return text === undefined ? { inputMissing: "lost" } : { input: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof InvariantViolation) return { inputMissing: "damaged" };
    throw error;
  }
}
