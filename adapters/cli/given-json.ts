// Given JSON
// Reads JSON from an argument, a file or standard input.
//
//   Owns:          where the JSON is read from.
//   Does not own:  what the JSON means.

import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { misused } from "./failures/failure.ts";

/** @param given JSON, `@FILE`, or `@-` for standard input. @throws Failure if it is not JSON. */
export async function givenJson(given: string): Promise<unknown> {
  const read =
    given === "@-" ? text(process.stdin) : given.startsWith("@") ? readFile(given.slice(1), "utf8") : given;
  try {
    return JSON.parse(await read) as unknown;
  } catch (error) {
    throw misused(
      `The data cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      "Give JSON, or @FILE for a file that contains JSON.",
    );
  }
}
