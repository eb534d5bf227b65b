// Body
// Reads the bytes of a request, up to a limit.
//
//   Owns:          the limit on the length of a body.
//   Does not own:  the content of the bytes (runtime/door).
//
// BODY-1. A body is refused as soon as it is known to be too long. The bytes that still arrive are not read into memory.

import type { IncomingMessage } from "node:http";
import { RetryableError } from "../../runtime/errors/errors.ts";

export type Body =
  | { readonly whole: Uint8Array }
  /** The start of a body that is too long, and its length in bytes as far as known. */
  | { readonly head: Uint8Array; readonly bytes: number };

/** @param max the longest body, in bytes. @throws RetryableError ABORTED if the sender disconnects. */
export function readBody(incoming: IncomingMessage, max: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (): void => {
      incoming.off("data", onData).off("end", onEnd).off("close", onClose);
    };
    const onData = (chunk: Buffer): void => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes <= max) return;
      settle();
      incoming.pause();
      const declared = Number(incoming.headers["content-length"] ?? 0);
      resolve({ head: Buffer.concat(chunks), bytes: Math.max(bytes, declared) });
    };
    const onEnd = (): void => {
      settle();
      resolve({ whole: Buffer.concat(chunks) });
    };
    const onClose = (): void => {
      settle();
      reject(new RetryableError("ABORTED", "The sender closed the connection.", "Send again.", 1000));
    };
    incoming.on("data", onData).on("end", onEnd).on("close", onClose);
  });
}
