// Format
// The file of a request: the file's path and content. The functions are pure: they make texts from texts.
//
//   requests/<id>.json                            the data: the fields of requirement S1.28, and Signalbox's note (`signalbox`)
//   requests/by-workspace/<workspace>/<id>.json   a link to it: an index, rebuilt at each start
//   requests/.before/<id>.json                    the content before the last write
//
//   Owns:          paths, the text of a file, the file's checksum, which files are refused.
//   Does not own:  reading and writing files, what may change in a request.
//
// FORMAT-1. No id leads to a path outside of the folder: if an id has characters that are not plain, the file's name is the
//     id's hash, and the id as given is only in the file's content.
// FORMAT-2. A damaged file is refused; what it contained is never guessed. A file that another implementation of S1
//     (docs/why/requirements.md) wrote has no note of Signalbox's, and so no checksum: only its fields are checked.
// FORMAT-3. A file in the format of a later version is refused, and stays unchanged.

import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { isFields, jsonIn } from "../../machines/json.ts";
import { toId } from "../../runtime/foreign-id.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";

export const STATES = ["created", "queued", "processing", "completed", "failed", "timeout"] as const;

const time = z.number().int().nonnegative();
const state = z.enum(STATES);
const text = z.string();

const requestState = z.looseObject({
  requestId: text.min(1),
  chatId: z.union([text, z.number()]),
  workspace: text.min(1),
  state,
  previousState: state.optional(),
  createdAt: time,
  queuedAt: time.optional(),
  processingStartedAt: time.optional(),
  completedAt: time.optional(),
  lastUpdatedAt: time,
  prompt: text.optional(),
  model: text.optional(),
  tokens: z.number().optional(),
  exitCode: z.number().optional(),
  output: text.optional(),
  error: text.optional(),
  callback: z
    .object({
      success: z.boolean(),
      attempts: z.number().int().nonnegative(),
      retryTimestamps: z.array(text),
      error: text.optional(),
    })
    .optional(),
  timeoutAt: time.optional(),
  timedOut: z.boolean(),
  /** True while the request waits for a user. The time that it waits does not count as running. */
  waiting: z.boolean().optional(),
});

const SEED: ReadonlySet<string> = new Set(Object.keys(requestState.shape));

/** A request with the fields of S1.28 (docs/why/requirements.md). Times are in ms, those of retries in ISO 8601. */
export type RequestState = z.output<typeof requestState>;

export type RequestStateValue = (typeof STATES)[number];

/** The part of the machine's state that the request's fields do not contain. */
const standing = z.object({
  callback: z.enum(["none", "delivering", "delivered", "failed"]),
  /** When the request last changed, by the sender's time. */
  heardAt: time,
  runningForMs: z.number(),
  runningSince: z.number().nullable(),
  annotations: z.array(z.object({ at: z.number(), what: text })),
});
export type Standing = z.output<typeof standing>;

const note = z.object({
  format: z.literal(1),
  /** The number of the write that made the file, from 1. */
  generation: z.number().int().positive(),
  standing: standing.optional(),
  checksum: text,
});

export interface StateFile {
  readonly request: RequestState;
  /** The number of the write that made the file; 0 if the file has no note of Signalbox's. */
  readonly generation: number;
  readonly standing?: Standing | undefined;
}

const FORMAT = 1;
const SUFFIX = ".json";

export const requestsIn = (base: string): string => join(base, "requests");

/** The name of a request's file (FORMAT-1). @throws RefusedError BAD_ID */
export const fileName = (requestId: string): string => `${toId(requestId)}${SUFFIX}`;

/** @returns the id, or the id's hash, in a file's name; undefined if the name is not that of a request's file. */
export function idOfName(name: string): string | undefined {
  const id = name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : "";
  return id !== "" && !id.includes("/") && toId(id) === id ? id : undefined;
}

export const statePath = (base: string, requestId: string): string =>
  join(requestsIn(base), fileName(requestId));

export const beforePath = (base: string, requestId: string): string =>
  join(requestsIn(base), ".before", fileName(requestId));

export const indexIn = (base: string): string => join(requestsIn(base), "by-workspace");

export const workspaceIn = (base: string, workspace: string): string => join(indexIn(base), toId(workspace));

export const indexPath = (base: string, workspace: string, requestId: string): string =>
  join(workspaceIn(base, workspace), fileName(requestId));

/** The target of a link in the index: the path of the request's file, relative to the folder of the workspace. */
export const indexTarget = (requestId: string): string => join("..", "..", fileName(requestId));

export function textOf({ request, generation, standing }: StateFile): string {
  const { signalbox: _, ...fields } = request;
  const signalbox = { format: FORMAT, generation, ...(standing && { standing }) };
  const checksum = checksumOf({ ...fields, signalbox });
  return `${JSON.stringify({ ...fields, signalbox: { ...signalbox, checksum } }, null, 2)}\n`;
}

/** @param path the file's path, for the error's message. @throws RefusedError STATE_DAMAGED, STATE_FORMAT */
export function readState(path: string, content: string): StateFile {
  const { signalbox, ...fields } = objectIn(path, content);
  const request = requestState.safeParse(fields);
  if (signalbox === undefined && request.success && Object.keys(fields).every((name) => SEED.has(name)))
    return { request: request.data, generation: 0 };
  const { format } = isFields(signalbox) ? signalbox : {};
  if (typeof format === "number" && format > FORMAT) throw laterFormat(path, format);
  const noted = note.safeParse(signalbox);
  if (!noted.success || !request.success)
    throw damaged(path, "a field is missing or is not what it should be");
  const { checksum: _, ...unsigned } = signalbox as Record<string, unknown>;
  const { checksum, generation, standing } = noted.data;
  if (checksumOf({ ...fields, signalbox: unsigned }) !== checksum)
    throw damaged(path, "its checksum does not match its content");
  return { request: request.data, generation, standing };
}

function objectIn(path: string, content: string): Readonly<Record<string, unknown>> {
  const value = jsonIn(content);
  if (value === undefined)
    throw damaged(path, content === "" ? "it is empty" : "it is not JSON, as a file that was cut");
  if (!isFields(value)) throw damaged(path, "it is not a JSON object");
  return value;
}

const checksumOf = (value: object): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex");

const damaged = (path: string, why: string): RefusedError =>
  new RefusedError(
    "STATE_DAMAGED",
    `The state file ${path} cannot be used: ${why}.`,
    "Start the tracker again: it restores the last good content, and keeps this file beside it.",
  );

const laterFormat = (path: string, format: number): RefusedError =>
  new RefusedError(
    "STATE_FORMAT",
    `The state file ${path} has format ${format}; this version of Signalbox knows format ${FORMAT}.`,
    "The file was not changed. Use the version that wrote it, or another folder.",
  );
