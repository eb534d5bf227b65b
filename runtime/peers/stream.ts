// Stream
// Reads one stream of a peer's changes, from a given place in the peer's change log on.
//
//   Owns:          requesting a stream, reading its events, giving up a stream that is silent.
//   Does not own:  connecting again, keeping changes (news), the places of readers (reader).
//
// PEERS-STREAM-1. A stream ends when the peer has sent nothing for 40 s, or when the stream's reader stops reading.

import { type Fields, isFields, jsonIn } from "../../machines/json.ts";
import { serverEvents } from "../line/server-events.ts";
import type { Clock } from "../ports.ts";
import { type LogPlace, placeIn } from "../reading/following.ts";
import { FOR_HEADER } from "./on-behalf.ts";
import type { Peer } from "./peers.ts";

/** A change of a peer, as the peer told it; `engine` names the peer. */
export type PeerChange = Fields & { readonly workspace: string; readonly engine: string };

/**
 * What a peer says in its stream, with the place in its log. `ready`: the reader has all changes up to the place. `resync`: some
 * changes may be missing. `refused`: the user may see nothing at this peer, and the stream ends.
 */
export type Said =
  | ({ readonly type: "ready" | "resync" } & LogPlace)
  | ({ readonly type: "change"; readonly change: PeerChange } & LogPlace)
  | { readonly type: "refused" };

interface Wish {
  /** The user who reads, as the text that `forUser` makes. */
  readonly user: string;
  /** The place after which the changes begin; undefined for the changes from now on. */
  readonly after: LogPlace | undefined;
}

/** A peer that says nothing for this long, ms, counts as gone: an engine says something every 15 s, even if nothing changes. */
const SILENCE_MS = 40_000;

/** @throws the connection's error; Error if the peer does not answer with a stream. */
export async function* peerStream(
  { name, exchange }: Peer,
  { user, after }: Wish,
  clock: Clock,
  stopping: AbortSignal,
): AsyncGenerator<Said> {
  const over = new AbortController();
  const end = (): void => over.abort();
  let cancel = clock.after(SILENCE_MS, end);
  const heard = (): void => {
    cancel();
    cancel = clock.after(SILENCE_MS, end);
  };
  stopping.addEventListener("abort", end, { once: true });
  try {
    stopping.throwIfAborted();
    const headers = { [FOR_HEADER]: user, ...(after && { "Last-Event-ID": `${after.log}-${after.n}` }) };
    const request = { method: "GET", path: "/v1/stream", headers, isStream: true } as const;
    const { status, body } = await exchange({ ...request, signal: over.signal });
    if (status === 403) yield { type: "refused" };
    else if (status !== 200) throw new Error(`The other engine answered with status ${status}.`);
    else
      for await (const { event, data, id } of serverEvents(watched(body, heard))) {
        const place = placeIn(id ?? "");
        const change = event === "change" ? changeIn(data, name) : undefined;
        if (place && change) yield { type: "change", change, ...place };
        else if (place && (event === "ready" || event === "resync")) yield { type: event, ...place };
      }
  } finally {
    cancel();
    over.abort();
    stopping.removeEventListener("abort", end);
  }
}

/** @returns undefined for a value that is no change. */
function changeIn(data: string, engine: string): PeerChange | undefined {
  const change = jsonIn(data);
  if (!isFields(change) || typeof change["workspace"] !== "string") return undefined;
  const { workspace, view } = change;
  return { ...change, workspace, engine, ...(isFields(view) && { view: { ...view, engine } }) };
}

async function* watched(body: AsyncIterable<Uint8Array>, heard: () => void): AsyncGenerator<Uint8Array> {
  for await (const bytes of body) {
    heard();
    yield bytes;
  }
}
