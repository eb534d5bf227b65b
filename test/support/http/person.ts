// Person
// A person with a token of their own at a running engine, for what goes over TCP.
//
//   Owns:          making the token, waiting until the engine knows it.
//   Does not own:  what is asked with it.

import { setTimeout as sleep } from "node:timers/promises";
import { addToken, dataFolder, readTokens } from "../../../adapters/data-folder/index.ts";

/** @param data the engine's data folder. @returns the headers of a request. */
export async function personAt(data: string, url: string): Promise<Record<string, string>> {
  const folder = dataFolder(data, {});
  await addToken(folder, "looker");
  const token = (await readTokens(folder)).find(({ name }) => name === "looker")?.token ?? "";
  const headers = { Authorization: `Bearer ${token}` };
  while ((await fetch(`${url}/v1/stats`, { headers })).status === 401) await sleep(50);
  return headers;
}
