// Connection
// Chooses which engine a command connects to, and with which token.
//
//   Owns:          the order of precedence between options, environment and data folder.
//   Does not own:  sending requests (client.ts), how an engine is reached (wiring), the data folder's files.
//
// CONNECTION-1. A command never sends a folder's key. A command sends a user's token only by https or through the folder's
//     socket; over plain HTTP on this machine, the command proves that it has the token without sending it.

import { defined } from "../../machines/defined.ts";
import { Client } from "./client.ts";
import { Failure, misused } from "./failures/failure.ts";
import type { Folder, Wiring } from "./wiring.ts";
import type { Exchange } from "../../runtime/line/exchange.ts";

export const DEFAULT_PORT = 4280;

export interface Target {
  readonly url?: string;
  readonly data?: string;
  /** The name of another engine, whose sessions and approvals the engine at `url` or `data` also shows. */
  readonly engine?: string;
}

export async function connect(
  target: Target,
  env: NodeJS.ProcessEnv,
  wiring: Wiring,
  onMissing?: (engines: readonly string[]) => void,
): Promise<Client> {
  const folder = wiring.folder(target.data);
  const named = target.url ?? (env["SIGNALBOX_URL"] || undefined);
  const url = checked(named ?? (await folder.address()) ?? `http://127.0.0.1:${DEFAULT_PORT}`);
  const about = defined({ engine: target.engine, onMissing });
  const token = env["SIGNALBOX_TOKEN"];
  if (token) {
    const own = named === undefined ? await folder.engine() : undefined;
    return new Client(own ? as(token, own) : wiring.withToken(url, token), url, "SIGNALBOX_TOKEN", about);
  }
  const exchange = named === undefined ? await folder.engine() : await byAddress(folder, url);
  if (exchange) return new Client(exchange, url, folder.dir, about);
  throw new Failure(
    `No engine has run in ${folder.dir} yet.`,
    "Start an engine with `npx signalbox up`, or name another folder with --data.",
  );
}

export const as =
  (token: string, exchange: Exchange): Exchange =>
  (request) =>
    exchange({ ...request, headers: { ...request.headers, Authorization: `Bearer ${token}` } });

function byAddress(folder: Folder, url: string): Promise<Exchange | undefined> {
  if (new URL(url).protocol === "http:") return folder.engineAt(url);
  throw new Failure(`There is no token for ${url}.`, "Set SIGNALBOX_TOKEN to your own token.");
}

function checked(url: string): string {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw misused(`"${url}" is not an http address.`, "Write the address as http://127.0.0.1:4280.");
}
