// Welcome
// What `up` prints when the engine is ready: the address, the next steps, and the state of the client's hooks.
//
//   Owns:          the words that `up` prints at first, and how long to wait for the client's version.
//   Does not own:  the words about hooks (hooks-text.ts) and browsers (behind.ts), noticing that the engine is ready (up.ts).
//
// WELCOME-1. `up` prints the address as soon as the engine is ready, and the state of the hooks as soon as the client has
//     reported its version. If the client takes too long, the hooks are checked without the version.

import { browserLines, dataOption, othersLine } from "./background/behind.ts";
import { connectLines } from "./hooks-text.ts";
import type { Prepared } from "./journal/prepare.ts";
import type { FoundClient } from "./hooks-form.ts";
import type { Folder, Wiring } from "./wiring.ts";

const CLIENT_MAX_MS = 2_000;

export interface Welcome {
  readonly folder: Folder;
  readonly wiring: Wiring;
  readonly services: Prepared["services"];
  readonly names: readonly string[];
  readonly isScreen: boolean;
}

export const clientFor = ({ findClient }: Wiring, ending: AbortSignal): Promise<FoundClient> =>
  findClient({ timeoutMs: CLIENT_MAX_MS, signal: ending });

export async function welcomeText(
  url: string,
  { folder, services, names, isScreen }: Welcome,
): Promise<string> {
  const data = dataOption(folder);
  return [
    `Signalbox runs at ${url}. Its data is in ${folder.dir}. Ctrl-C ends it.`,
    "",
    "Next, in another terminal:",
    `  npx signalbox replay test/recordings/s1-ten-allowed/hooks.jsonl --url ${url}${data}`,
    "    plays a recorded session, for you to see it work",
    `  npx signalbox watch${data}`,
    "    follows your sessions",
    `  npx signalbox approvals --follow${data}`,
    "    shows what waits for your answer",
    "",
    ...services,
    ...(services.length === 0 ? [] : [""]),
    ...(await browserLines(url, folder, isScreen)),
    ...names.map((name) => othersLine(name, url)),
  ].join("\n");
}

export async function hooksText({ folder, wiring }: Welcome, client: Promise<FoundClient>): Promise<string> {
  return (await connectLines(wiring.hooks(folder.dir), client, dataOption(folder))).join("\n");
}
