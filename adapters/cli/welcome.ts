// Welcome
// What a person is told when the engine runs for the first time: where, what to do next, how the client's hooks stand.
//
//   Owns:          these words, and how long the client is waited for.
//   Does not own:  the lines about hooks (hooks-text.ts), those about browsers (behind.ts), when the engine is ready (up.ts).
//
// WELCOME-1. Where the engine runs is said at once. How the hooks stand is said once the client has told its version;
//     one that takes long is not waited for, and they are looked at without.

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

/** Asks the client while the engine starts. @param ending when nobody wants to know any more. */
export const clientFor = ({ findClient }: Wiring, ending: AbortSignal): Promise<FoundClient> =>
  findClient({ timeoutMs: CLIENT_MAX_MS, signal: ending });

/** WELCOME-1: everything that is known at once. */
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

/** WELCOME-1: what the client is waited for. */
export async function hooksText({ folder, wiring }: Welcome, client: Promise<FoundClient>): Promise<string> {
  return (await connectLines(wiring.hooks(folder.dir), client, dataOption(folder))).join("\n");
}
