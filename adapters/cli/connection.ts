// Connection
// Which engine a command talks to, and with which token.
//
//   Owns:          the order of precedence: options, environment, data folder, default.
//   Does not own:  talking (client.ts), the data folder's files.
//
// CONNECTION-1. A folder's token is only ever sent to this machine.

import { Client } from "./client.ts";
import { Failure, misused } from "./failure.ts";
import type { Wiring } from "./wiring.ts";

export const DEFAULT_PORT = 4280;
const LOCAL = ["127.0.0.1", "localhost", "[::1]"];

export interface Target {
  readonly url?: string;
  readonly data?: string;
}

/** @throws Failure that says what is missing. */
export async function connect(target: Target, env: NodeJS.ProcessEnv, wiring: Wiring): Promise<Client> {
  const folder = wiring.folder(target.data);
  const named = target.url ?? (env["SIGNALBOX_URL"] || undefined);
  const url = named ?? (await folder.address()) ?? `http://127.0.0.1:${DEFAULT_PORT}`;
  const token = env["SIGNALBOX_TOKEN"];
  if (token) return new Client(checked(url), token, "SIGNALBOX_TOKEN");
  if (!LOCAL.includes(new URL(checked(url)).hostname)) {
    throw new Failure(
      `There is no token for ${url}.`,
      "Set SIGNALBOX_TOKEN; a data folder's token is sent to this machine only.",
    );
  }
  const found = await folder.token();
  if (found !== undefined) return new Client(url, found, folder.dir);
  throw new Failure(
    `No engine has run in ${folder.dir} yet.`,
    "Start one with `npx signalbox up`, or name another folder with --data.",
  );
}

function checked(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw misused(`"${url}" is not an http address.`, "Write it as http://127.0.0.1:4280.");
}
