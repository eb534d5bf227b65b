// Line key
// The key with which an engine and this user's programs prove themselves to each other over TCP.
//
//   Owns:          its form in the folder, and removing the bearer token of earlier versions.
//   Does not own:  what the key proves (runtime/line).
//
// LINE-KEY-1. The bearer token of an earlier version is removed, because it was sent to any program on the engine's port. Nothing
//     is derived from it.

import { telemetryToken } from "../../runtime/access-token.ts";
import { removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";

/** @returns the folder's line key, created if missing. @throws RefusedError as `ensureSecret`. */
export async function ensureLineKey(folder: DataFolder): Promise<string> {
  await retireToken(folder);
  return ensureSecret(folder.lineKey);
}

/** LINE-KEY-1. The token in the client's settings is stored, so that it can be found and removed there. */
export async function retireToken(folder: DataFolder): Promise<void> {
  const token = await readSecret(folder.formerToken);
  if (token === undefined) return;
  await writeOwn(folder.formerTelemetry, `${telemetryToken(token)}\n`);
  await removeOwn(folder.formerToken);
}
