// Given JSON
// Reads the JSON value that a user gives as an argument, in a file or on standard input.
//
//   Owns:          finding out where the user gave the JSON, and reading it.
//   Does not own:  what the JSON means.

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { misused, reasonOf } from "./failures/failure.ts";

/** @param given JSON, `@FILE`, or `@-` for standard input. @throws Failure if it is not JSON. */
export async function givenJson(given: string): Promise<unknown> {
  const read =
    given === "@-" ? text(process.stdin) : given.startsWith("@") ? readFile(given.slice(1), "utf8") : given;
  try {
    return JSON.parse(await read) as unknown;
  } catch (error) {
    throw misused(
      `The data cannot be read: ${reasonOf(error).reason}`,
      "Give JSON, or @FILE for a file that contains JSON.",
    );
  }
}
