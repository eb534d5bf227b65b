// Parse line
// Parses one line of a JSONL file.
//
//   Owns:          the refusal of a line that is not whole JSON.
//   Does not own:  splitting a file into lines, what the value means.

import { RefusedError } from "../../runtime/errors/errors.ts";

/** @param line without its line break. @throws RefusedError that says what is wrong with the line, and where. */
export function parseLine(line: string): unknown {
  if (line.trim() === "") throw refused("It is empty");
  try {
    return JSON.parse(line);
  } catch (error) {
    throw refused(error instanceof Error ? error.message : String(error));
  }
}

const refused = (reason: string): RefusedError =>
  new RefusedError(
    "NOT_A_JSON_LINE",
    `The line is not whole JSON: ${reason}.`,
    "Leave the line out, or read it again once the client has written all of it.",
  );
