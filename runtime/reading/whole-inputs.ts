// Whole inputs
// Puts tool inputs that are stored as blobs into a view, for a query that asks for the whole input.
//
//   Owns:          reading the blobs to which a view refers; marking an input as lost or damaged.
//   Does not own:  the views (views), storing blobs (ports).
//
// WHOLE-INPUTS-1. If a blob is lost or damaged, the view says so in place of the input, and the rest of the view is complete.

import { InvariantViolation } from "../errors/errors.ts";
import type { Blobs } from "../ports.ts";
import type { InputMissing } from "../rows/views.ts";

/** An input as a view shows it. Of an input that is stored as a blob, the view has only hash and length. */
interface Part {
  readonly inputHash?: string;
  readonly inputBytes?: number;
}

interface Found {
  readonly input?: unknown;
  readonly inputMissing?: InputMissing;
}

/**
 * Adds the inputs that are stored as blobs to a view.
 * @param view a view made with `whole`, so that only an input in a blob is shown by its length.
 */
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
