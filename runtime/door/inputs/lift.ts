// Lift
// Lifts large tool inputs out of a raw message before the message is journalled, and puts references to them in their places when
// the message is read.
//
//   Owns:          which inputs are lifted, what replaces them in the message and in its translation.
//   Does not own:  storing lifted inputs (ports: Blobs), where inputs are in a payload (tool-inputs).
//   Decided in:    docs/decisions/0032-large-inputs-are-blobs.md.
//
// LIFT-1. A tool input is never cut: the whole input is either in the message or in a blob.
// LIFT-2. The place of a lifted input is stored beside the message's data. In memory an object of a class of its own
//     (`InputReference`) stands for the input. Parsed JSON never contains such an object, so no payload can imitate one.
// LIFT-3. A lifted input has the same hash as if it were still in the message, so matching by hash works in the same way.

import type { LiftedInput, WrittenInput } from "../../../machines/index.ts";
import { RefusedError } from "../../errors/errors.ts";
import type { LiftedPlace, SourceMessage } from "../../message.ts";
import { InputReference, toolInput } from "../../canonical.ts";
import { type Path, replaced, toolInputsIn } from "./tool-inputs.ts";

export interface LiftLimits {
  /** The greatest length of all tool inputs that stay in a message, as canonical text, bytes. */
  readonly together: number;
  /**
   * An input shorter than this always stays in its message, so that thousands of small inputs do not become thousands of blobs.
   */
  readonly smallest: number;
}

const LIMITS: LiftLimits = { together: 512 * 1024, smallest: 16 * 1024 };

/**
 * In a body of at most this many bytes, the inputs cannot exceed `LIMITS.together`, because canonical text is at most 4.4 times
 * as long as the sent text (`1e20,` is the worst case).
 */
export const LIFT_BYTES_MIN = LIMITS.together / 5;

export interface Lifted {
  readonly message: SourceMessage;
  /** The lifted inputs. They must be stored as blobs before the message is journalled. */
  readonly inputs: readonly WrittenInput[];
}

interface Found extends WrittenInput {
  readonly at: Path;
  readonly bytes: number;
}

/**
 * Lifts the largest inputs until the others together are small enough. Only raw payloads have such inputs.
 * @param message the message after admission, so that everything in it is JSON, and not too deep.
 */
export function lift(message: SourceMessage, limits = LIMITS): Lifted {
  const found = toolInputsIn(message.data).map(({ at, value }): Found => {
    const { text, hash } = toolInput(value);
    return { at, text, hash, bytes: Buffer.byteLength(text) };
  });
  let staying = found.reduce((sum, { bytes }) => sum + bytes, 0);
  const leaving = found
    .toSorted((a, b) => b.bytes - a.bytes)
    .filter(({ bytes }) => {
      if (staying <= limits.together || bytes < limits.smallest) return false;
      staying -= bytes;
      return true;
    });
  if (leaving.length === 0) return { message, inputs: [] };
  const data = leaving.reduce((rest, { at }) => replaced(rest, at, null), message.data);
  const lifted = leaving.map(({ at, hash, bytes }): LiftedPlace => ({ at, hash, bytes }));
  return { message: { ...message, data, lifted }, inputs: leaving.map(({ text, hash }) => ({ text, hash })) };
}

/** The data of a message, with references in place of lifted inputs. @throws RefusedError for a damaged message. */
export function dataOf({ data, lifted }: SourceMessage): unknown {
  if (lifted === undefined) return data;
  if (!Array.isArray(lifted) || !lifted.every(isPlace)) throw notLifted();
  return lifted.reduce<unknown>((whole, { at, hash, bytes }) => {
    const input: LiftedInput = { hash, bytes, blob: true };
    return replaced(whole, at, new InputReference(input));
  }, data);
}

function isPlace(value: unknown): value is LiftedPlace {
  if (typeof value !== "object" || value === null) return false;
  const { at, hash, bytes } = value as Partial<LiftedPlace>;
  return Array.isArray(at) && at.length > 0 && typeof hash === "string" && typeof bytes === "number";
}

const notLifted = (): RefusedError =>
  new RefusedError(
    "NOT_A_MESSAGE",
    'The field "lifted" of a journal entry is malformed.',
    "The entry became a dead letter; nothing else changed.",
    "lifted",
  );
