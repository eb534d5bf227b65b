// Transcript file
// Opens a transcript after checking the file, and reads parts of it.
//
//   Owns:          which files may be opened, the messages for files that may not, the file's identity.
//   Does not own:  splitting the text into lines (lines-backwards), which folder a transcript may be in.
//
// INTENT-TRANSCRIPT-FILE-1. Only a regular file is read, through the checked descriptor. Opening follows no link and waits for no
//     pipe.
// INTENT-TRANSCRIPT-FILE-2. The file is read as it was when it was opened; a file that became shorter meanwhile is an error.

import { constants, type BigIntStats } from "node:fs";
import { type FileHandle, open, realpath } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import type { IntentCode } from "./query.ts";

const CAREFULLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const AGENT_ID = /^[A-Za-z0-9_-]{1,128}$/;

export class UnreadableTranscript extends Error {
  readonly code: IntentCode;
  constructor(code: IntentCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "UnreadableTranscript";
    this.code = code;
  }
}

export class TranscriptFile {
  readonly path: string;
  readonly size: number;
  /** A text that changes whenever the file changes. */
  readonly mark: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle, stats: BigIntStats) {
    this.path = path;
    this.size = Number(stats.size);
    this.mark = `${stats.dev}.${stats.ino}.${stats.size}.${stats.mtimeNs}`;
    this.#handle = handle;
  }

  /** @throws UnreadableTranscript if the file may not be read (INTENT-TRANSCRIPT-FILE-1) */
  static async open(path: string): Promise<TranscriptFile> {
    const handle = await open(path, CAREFULLY).catch((error: unknown) => {
      throw inWords(path, error);
    });
    try {
      const stats = await handle.stat({ bigint: true });
      if (!stats.isFile())
        throw new UnreadableTranscript("NOT_A_FILE", `${path} is a ${kindOf(stats)}, not a file.`);
      return new TranscriptFile(path, handle, stats);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** @throws UnreadableTranscript CHANGED if the file is now shorter (INTENT-TRANSCRIPT-FILE-2). */
  async read(position: number, length: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await this.#handle
        .read(buffer, filled, length - filled, position + filled)
        .catch((error: unknown) => {
          throw inWords(this.path, error);
        });
      if (bytesRead === 0)
        throw new UnreadableTranscript("CHANGED", `${this.path} became shorter while it was read.`);
      filled += bytesRead;
    }
    return buffer;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * @returns the path of a subagent's file; undefined if there is none, or its folder is a link to elsewhere.
 * @throws UnreadableTranscript BAD_AGENT_ID
 */
export async function agentFile(path: string, agentId: string): Promise<string | undefined> {
  if (!AGENT_ID.test(agentId))
    throw new UnreadableTranscript("BAD_AGENT_ID", "An agent's id has only letters, digits, _ and -.");
  if (basename(path) === `agent-${agentId}.jsonl`) return path;
  const folder = join(dirname(path), basename(path, ".jsonl"), "subagents");
  const [home, found] = await Promise.all([
    realpath(dirname(path)).catch(() => undefined),
    realpath(folder).catch(() => undefined),
  ]);
  if (home === undefined || found?.startsWith(home + sep) !== true) return undefined;
  return join(folder, `agent-${agentId}.jsonl`);
}

const kindOf = (stats: BigIntStats): string =>
  stats.isDirectory() ? "folder" : stats.isFIFO() ? "pipe" : stats.isSocket() ? "socket" : "device";

function inWords(path: string, error: unknown): UnreadableTranscript {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const told = (word: IntentCode, message: string) => new UnreadableTranscript(word, message, error);
  if (code === "ENOENT" || code === "ENOTDIR") return told("NO_FILE", `There is no file ${path}.`);
  if (code === "ELOOP" || code === "EMLINK")
    return told("A_LINK", `${path} is a link; links are not followed.`);
  if (code === "EISDIR") return told("NOT_A_FILE", `${path} is a folder, not a file.`);
  if (code === "ENXIO") return told("NOT_A_FILE", `The path ${path} is a socket or a pipe, not a file.`);
  if (code === "EACCES" || code === "EPERM") return told("NO_PERMISSION", `This user may not read ${path}.`);
  return told(
    "CANNOT_READ",
    `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}.`,
  );
}
