// Line key
// The key with which an engine and this user's programs prove themselves to each other over TCP.
//
//   Owns:          the line key's form in the folder, and removing the bearer token of earlier versions.
//   Does not own:  what the key proves (runtime/line).
//
// LINE-KEY-1. The bearer token of an earlier version is removed and gives no access, because any program that has used the
//     engine's port may know it.

import { telemetryToken } from "../../runtime/access-token.ts";
import { removeOwn, writeOwn } from "./own-file.ts";
import type { DataFolder } from "./place.ts";
import { ensureSecret, readSecret } from "./secret.ts";

/** @returns the folder's line key, created if missing. @throws RefusedError as `ensureSecret`. */
export async function ensureLineKey(folder: DataFolder): Promise<string> {
  await retireToken(folder);
  return ensureSecret(folder.lineKey);
}

/** Keeps the former telemetry token, which gives no access, so that `install` can remove it from the client's settings. */
export async function retireToken(folder: DataFolder): Promise<void> {
  const token = await readSecret(folder.formerToken);
  if (token === undefined) return;
  await writeOwn(folder.formerTelemetry, `${telemetryToken(token)}\n`);
  await removeOwn(folder.formerToken);
}
