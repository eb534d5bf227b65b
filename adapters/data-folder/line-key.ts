// Line key
// The key by which an engine and this user's programs show themselves to each other over TCP.
//
//   Owns:          its form in the folder, and the end of the bearer token that stood there before.
//   Does not own:  what the key proves (runtime/line).
//
// LINE-KEY-1. The bearer token of an earlier version is taken away: it was sent to whoever had the engine's port.
//     Nothing is derived from it.

import { telemetryToken } from "../../runtime/access-token.ts";
import { removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";

/** @returns the folder's line key, created if missing. @throws RefusedError as `ensureSecret`. */
export async function ensureLineKey(folder: DataFolder): Promise<string> {
  await retireToken(folder);
  return ensureSecret(folder.lineKey);
}

/** LINE-KEY-1. What the client's settings were given is kept, so that it is found there and taken out. */
export async function retireToken(folder: DataFolder): Promise<void> {
  const token = await readSecret(folder.formerToken);
  if (token === undefined) return;
  await writeOwn(folder.formerTelemetry, `${telemetryToken(token)}\n`);
  await removeOwn(folder.formerToken);
}
