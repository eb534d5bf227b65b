// Policy file
// Reads the policy that an engine is started with, and loads the reader of its language.
//
//   Owns:          reading the file that the start names.
//   Does not own:  the language (cedar), how the policy is applied (runtime/policy).
//
// POLICY-FILE-1. The policy's file is read only at a start that names it; an engine started without a policy file goes on with
//     the policy whose text is in the journal.

import { open } from "node:fs/promises";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { PolicySide, type PolicySideOptions } from "../../runtime/policy/policy-side.ts";
import { openCedar } from "../cedar/cedar.ts";

/** The longest policy, in bytes: one journal entry must contain the whole policy. */
const BYTES_MAX = 128 * 1024;

/**
 * @param file the policy's file; `none` for no policy; undefined for the policy that is in the journal.
 * @throws RefusedError POLICY_UNREADABLE, POLICY_READER_ABSENT, POLICY_INVALID
 */
export async function policySideOf(
  file: string | undefined,
  options: Pick<PolicySideOptions, "engine" | "onError">,
): Promise<PolicySide> {
  const wanted = file === undefined || file === "none" ? file : { text: await textOf(file) };
  const side = new PolicySide({ ...options, open: openCedar, wanted });
  await side.prepare();
  return side;
}

async function textOf(file: string): Promise<string> {
  try {
    const handle = await open(file);
    try {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(BYTES_MAX + 1), 0, BYTES_MAX + 1, 0);
      if (bytesRead > BYTES_MAX) throw unreadable(file, `it has more than ${BYTES_MAX} bytes`);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof RefusedError) throw error;
    throw unreadable(file, error instanceof Error && "code" in error ? String(error.code) : "it failed");
  }
}

const unreadable = (file: string, why: string): RefusedError =>
  new RefusedError(
    "POLICY_UNREADABLE",
    `The policy in ${file} cannot be read (${why}).`,
    "Name a readable file with --cedar, or start with --cedar none.",
  );
