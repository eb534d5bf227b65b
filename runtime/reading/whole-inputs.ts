// Whole inputs
// Puts tool inputs that are stored as blobs into a view, for a query that asks for the whole input.
//
//   Owns:          reading the blobs of a view; marking an input as lost or damaged.
//   Does not own:  the views (views), storing blobs (ports).
//
// WHOLE-INPUTS-1. A lost or damaged blob is reported in place of its input, and affects nothing else.

import { InvariantViolation } from "../errors/errors.ts";
import type { Blobs } from "../ports.ts";
import type { InputMissing } from "../rows/views.ts";

/** An input in a view. An input that is stored as a blob has only its length. */
interface Part {
  readonly inputHash?: string;
  readonly inputBytes?: number;
}

interface Found {
  readonly input?: unknown;
  readonly inputMissing?: InputMissing;
}

/** @param view made with `whole`: an input that shows only its length is stored as a blob. */
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
