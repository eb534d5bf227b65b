// Log
// The operator's log: one JSON object per line on standard error.
//
//   Owns:          the content of a log line.
//   Does not own:  messages to the user at the terminal (cli).
//
// LOG-1. A log line contains ids, hashes, codes and places in Signalbox's code, never a message's body or the text of an error.

import { type Logger, pino } from "pino";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { StateChange } from "../../runtime/rows/changes.ts";
import type { Migrating } from "../../runtime/engine/migration.ts";
import type { Recovered } from "../../runtime/outbound/recovery.ts";
import type { Warning } from "../../runtime/turn/early-list.ts";
import type { Trouble } from "../../runtime/errors/trouble.ts";

export interface Log {
  /** The engine has started. `policy`: the hash of the policy in force. */
  started(facts: {
    readonly epoch: number;
    readonly incarnation: string;
    readonly replayed: number;
    readonly policy: string | undefined;
  }): void;
  stopped(): void;
  /** At its start, the engine has found which requests and approvals an earlier run left open. */
  recovered?(found: Pick<Recovered, "openRequests" | "pendingApprovals" | "replayed">): void;
  /** A request was created (info), or changed its state (debug); undefined if the log level drops both. */
  readonly request?: ((change: StateChange) => void) | undefined;
  migrating(migrating: Migrating): void;
  nats(isHere: boolean): void;
  /** Something does not work. The trouble is logged once, however long it lasts. */
  troubleBegan(trouble: Trouble): void;
  troubleEnded(trouble: Trouble): void;
  /** The command that is run for new approvals has stopped working. @param why an exit code, a signal, a time limit. */
  notifyFailing(why: string): void;
  fatal(error: Error): void;
  /** A part of the engine, such as the HTTP server, met an unexpected error. */
  failed(error: unknown): void;
  /** A bug of Signalbox made the turn of a message fail, so the message was rejected. */
  defect(error: unknown, position: number): void;
  poison(position: number): void;
  /** A sign-in through the identity provider has failed. @param detail the protocol's word for the error. */
  signInFailed?(detail: string): void;
  /** The list of users who may sign in has an error. @param what a text that names the line with the error. */
  peopleUnread?(what: string): void;
  /** A message was applied, but had an effect that its sender can hardly have meant. */
  warned?(warning: Pick<Warning, "code">, position: number): void;
}

/**
 * A log on standard error. Each line is written before the call returns, because the process may end after any line.
 * @param level pino's name of the lowest level that is logged; `silent` for none.
 * @throws RefusedError BAD_LEVEL
 */
export function stderrLog(level: string): Log {
  checkLevel(level);
  const logger = pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
  return {
    started: (facts) => logger.info(facts, "started"),
    stopped: () => logger.info("stopped"),
    recovered: ({ openRequests, pendingApprovals, replayed }) =>
      logger.info({ openRequests, pendingApprovals, replayed }, "recovered"),
    request: logger.isLevelEnabled("info") ? (change) => tellRequest(logger, change) : undefined,
    migrating: (facts) => logger.info(facts, "the store has the new format"),
    nats: (isHere) => logger.warn(isHere ? "nats is back" : "nats is away: no messages are accepted"),
    troubleBegan({ code, message, next, isEssential }) {
      const facts = { code, what: message, next };
      // STANDING_BY is not logged as an error: a spare stands by for as long as the owner works.
      if (isEssential && code !== "STANDING_BY") logger.error(facts, "a trouble begins");
      else logger.warn(facts, "a trouble begins");
    },
    troubleEnded: ({ code, since }) =>
      logger.info({ code, since: new Date(since).toISOString() }, "a trouble is over"),
    notifyFailing: (why) => logger.warn({ why }, "the command for new approvals fails"),
    fatal(error) {
      const facts = { code: codeOf(error), cause: codeOf(error.cause), at: placesOf(error) };
      // TERM_ENDED is not logged as an error: an owner ends its term on purpose, to start again with the version then installed.
      if (facts.code === "TERM_ENDED") logger.info({ code: facts.code }, "the term has ended");
      else logger.fatal(facts, "fatal");
    },
    failed: (error) => logger.error({ code: codeOf(error), at: placesOf(error) }, "failed"),
    defect: (error, position) =>
      logger.error({ code: codeOf(error), position, at: placesOf(error) }, "defect"),
    poison: (position) => logger.error({ code: "POISON", position }, "set aside"),
    signInFailed: (detail) => logger.warn({ detail }, "a sign-in failed"),
    peopleUnread: (what) => logger.warn({ what }, "the list of people has an error"),
    warned: ({ code }, position) => logger.warn({ code, position }, "applied with a warning"),
  };
}

const LEVELS: readonly string[] = [...Object.keys(pino.levels.values), "silent"];

function checkLevel(level: string): void {
  if (LEVELS.includes(level)) return;
  throw new RefusedError(
    "BAD_LEVEL",
    `${typeof level === "string" ? `"${level}"` : `A ${typeof level}`} is not a level of the log.`,
    `Use one of ${LEVELS.join(", ")}, as the argument of stderrLog or in SIGNALBOX_LOG.`,
    "level",
  );
}

function tellRequest(logger: Logger, { entity, id, sessionId, from, to, n }: StateChange): void {
  if (entity !== "request") return;
  // The line does not name the workspace: by default, a workspace's name contains the name of the user's project folder (LOG-1).
  const facts = { requestId: id, sessionId, change: n };
  if (from === null) logger.info({ ...facts, state: to }, "request created");
  else logger.debug({ ...facts, from, to }, "request moved");
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** The lines of an error's stack without the error's text: the text may contain lines that look like the stack's. */
function placesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.stack === undefined) return [];
  const { stack, message } = error;
  const start = stack.indexOf(message);
  if (start === -1) return [];
  return stack
    .slice(start + message.length)
    .split("\n")
    .filter((line) => line.startsWith("    at "))
    .slice(0, PLACES_MAX)
    .map((line) => line.trim());
}

const PLACES_MAX = 8;
