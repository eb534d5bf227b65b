// Peers side
// Reads the list of this engine's peers, which are the other engines whose sessions this engine shows, and connects to them.
//
//   Owns:          the form of the list, where the tokens for the peers are stored.
//   Does not own:  what a peer is asked for (runtime/peers, http/peers), the connections (line).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md, 0103-a-machine-joins-by-calling-out.md.
//
// PEERS-SIDE-1. If the list is malformed, the engine does not start, and the message names the faulty place in the list. To a
//     peer with an address, a token is sent only by https (WITH-TOKEN-1).
// PEERS-SIDE-2. A peer without an address is reached by its name, through the NATS server that this engine has joined. Both sides
//     prove that they have the token; the token itself is never sent over NATS.

import { basename, dirname, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { anyOf } from "../../../runtime/peers/addresses.ts";
import { PeerNews } from "../../../runtime/peers/news.ts";
import { type Peer, Peers } from "../../../runtime/peers/peers.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { EngineSettings } from "../../../runtime/engine-settings.ts";
import { endpointOf } from "../../../runtime/line/handshake.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { readOwn, readSecret } from "../../data-folder/index.ts";
import { type Dialled, overDialled, withToken } from "../../line/index.ts";
import { Join } from "../../nats/tunnel/join.ts";

const NAME = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const PEERS_MAX = 64;
/**
 * How many addresses a peer may have: that of the owner of its journal, and those of the spares. While a user waits for a list,
 * there is no time to try more of them.
 */
const ADDRESSES_MAX = 3;
const ADDRESS = z.url({ protocol: /^https?$/ });

const LIST = z
  .array(
    z
      .strictObject({
        name: z.string().regex(NAME, "must have lower-case letters, digits, - and _"),
        url: ADDRESS.optional(),
        urls: z.array(ADDRESS).min(1).max(ADDRESSES_MAX).optional(),
        tokenFile: z.string().min(1),
      })
      .refine(({ url, urls }) => url === undefined || urls === undefined, "has both url and urls"),
  )
  .max(PEERS_MAX)
  .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "has one name twice");

/**
 * @param url the address of this engine, once it listens.
 * @returns undefined for an engine without peers.
 * @throws RefusedError PEERS_UNREADABLE, NEEDS_TLS, JOIN_UNREADABLE; as `readOwn`.
 */
export async function peersSideOf(
  { peers: file, join: joinFile }: Pick<EngineSettings, "peers" | "join">,
  { clock, url }: { readonly clock: Clock; readonly url: () => string | undefined },
) {
  if (file === undefined && joinFile === undefined) return undefined;
  const join = joinFile === undefined ? undefined : new Join(await addressIn(joinFile), clock);
  const peers = new Peers(file === undefined ? [] : await read(file, join, clock), clock);
  const news = new PeerNews(peers, clock);
  return {
    inside: { peers, news },
    troubles: () => [...peers.troubles(), ...(join?.troubles() ?? [])],
    start() {
      news.start();
      void join?.start(Number(new URL(url() ?? "http://-").port));
    },
    async stop() {
      news.stop();
      await join?.stop();
    },
  };
}

async function addressIn(file: string): Promise<string> {
  const address = await readSecret(file);
  if (address !== undefined) return address;
  throw new RefusedError(
    "JOIN_UNREADABLE",
    `There is no address of a NATS server in ${basename(file)}.`,
    "Write nats://NAME:PASSWORD@HOST:4222 into it (docs/how-to/inbox.md).",
    "join",
  );
}

async function read(file: string, join: Join | undefined, clock: Clock): Promise<readonly Peer[]> {
  const text = await readOwn(file, true);
  if (text === undefined) throw unreadable(file, "is missing");
  const list = LIST.safeParse(parsed(text, file));
  const [issue] = list.error?.issues ?? [];
  if (!list.success)
    throw unreadable(file, `is wrong at ${issue?.path.join(".") || "its top"}: ${issue?.message}`);
  const at = (path: string): string => resolve(dirname(file), path);
  return Promise.all(
    list.data.map(async ({ name, url, urls, tokenFile }) => {
      const addresses = urls ?? (url === undefined ? [] : [url]);
      const token = await readSecret(at(tokenFile));
      if (token === undefined) throw unreadable(file, `names ${tokenFile}, and there is no token`);
      if (addresses.length > 0)
        return {
          name,
          exchange: anyOf(
            addresses.map((each) => withToken(each, token)),
            clock,
          ),
        };
      if (!join) throw unreadable(file, `has no address of ${name}`);
      return { name, exchange: overDialled((signal) => dialled(join, name, signal), { token }, name) };
    }),
  );
}

/**
 * Connects to a peer's machine through NATS. That machine says at which port its engine listens. Neither side is trusted before
 * it proves that it has the token.
 */
async function dialled(join: Join, name: string, signal: AbortSignal | undefined): Promise<Dialled> {
  const { socket, port } = await join.dial(name, signal);
  const host = endpointOf("127.0.0.1", port);
  const differs: Dialled["differs"] = ({ endpoint }) =>
    endpoint === host ? undefined : `it listens at ${endpoint}, not at ${host}`;
  return { socket, host, differs };
}

function parsed(text: string, file: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw unreadable(file, `is no YAML: ${error instanceof Error ? error.message : ""}`);
  }
}

const unreadable = (file: string, why: string): RefusedError =>
  new RefusedError(
    "PEERS_UNREADABLE",
    `The list of other engines, ${basename(file)}, ${why}.`,
    "Each entry has name, url (or urls) and tokenFile; without url, --join is needed (docs/how-to/inbox.md).",
    "peers",
  );
