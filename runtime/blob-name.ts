// Blob name
// The name of a blob: the SHA-256 of its text, in hex.
//
//   Owns:          the form of a blob's name; checking a text against a blob's name.
//   Does not own:  storing blobs (adapters).

import { hash } from "node:crypto";
import { badBlobName } from "./errors/errors.ts";

const NAME = /^[0-9a-f]{64}$/;

export const isBlobName = (name: string): boolean => NAME.test(name);

/** @throws InvariantViolation BAD_BLOB_NAME */
export function checkBlobName(name: string): void {
  if (!isBlobName(name)) throw badBlobName(name);
}

/** @param content a text, or the text's UTF-8 bytes. */
export const isNamed = (name: string, content: string | Uint8Array): boolean =>
  hash("sha256", content, "hex") === name;
