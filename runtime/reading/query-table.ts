// Query table
// The table of all queries of people and services, the same for every protocol.
//
//   Owns:          the names and parameters of queries, the fields that come with every answer.
//   Does not own:  answering queries (queries), the protocols (adapters).
//   Decided in:    docs/decisions/0015-one-place-for-queries.md.
//
// QUERY-TABLE-1. Each answer names a change, and includes all changes up to it: a follower that starts after it misses none.

import { SAID, saidIn } from "./asker.ts";
import { companionsIn } from "./companions.ts";
import { defined } from "../../machines/index.ts";
import { CALL_STATES } from "../rows/call-states.ts";
import { toId } from "../foreign-id.ts";
import { REQUEST_STATES } from "./filters.ts";
import type { Engine } from "../engine/engine.ts";
import type { Within } from "./lookup.ts";
import type { Queries } from "./queries.ts";
import { RetryableError } from "../errors/errors.ts";
import { wishIn } from "./figures/counted.ts";
import { STATES } from "./figures/stats.ts";
import { notFound } from "./not-found.ts";
import {
  checkEntity,
  checkState,
  type Given,
  isTrue,
  orderOf,
  type Parameters,
  parametersOf,
  pick,
  required,
  sliceOf,
  timesOf,
} from "./parameters.ts";
import { RULE_STATES } from "./rules.ts";
import { suggestedMost } from "./suggesting/suggestions.ts";
import { type Among, isShownIn, keptTo, rangeOf, type Scope } from "./scope.ts";

interface Query {
  /** The thing that the query is about, for the error `There is no …`. */
  readonly what: string;
  readonly parameters: readonly string[];
  readonly answer: (
    queries: Queries,
    given: Parameters,
    among: Among,
  ) => object | undefined | Promise<object | undefined>;
  /** Only for a query about one session: reads the session's id. The answer then includes the session's version. */
  readonly session?: (given: Parameters) => string;
  /** True if the caller of this query waits for an event, as a gate waits for an answer. */
  readonly waits?: true;
  /** True if an answer may cover several workspaces. If no parameter names a workspace, it covers those in `among`. */
  readonly merges?: true;
}

const LIST = ["limit", "cursor"] as const;

const idOf = (given: Parameters): string => toId(required(given, "id"));
const sessionOf = (given: Parameters): string => toId(required(given, "session"));
function idIn(given: Parameters, name: string): string | undefined {
  const id = given[name];
  return id === undefined ? undefined : toId(id);
}

export const QUERIES = {
  "request.get": {
    what: "request",
    parameters: ["id", "workspace"],
    answer: (queries, given) => queries.getRequest(idOf(given), pick(given, "workspace")),
  },
  "request.list": {
    what: "list",
    parameters: ["workspace", "session", "chatId", "state", "since", "until", ...LIST],
    merges: true,
    answer(queries, given, among) {
      checkState(given, REQUEST_STATES);
      const named = pick(given, "workspace", "session", "chatId", "state");
      const filter = { ...named, ...timesOf(given), ...among };
      return queries.listRequests(filter, sliceOf(given));
    },
  },
  "session.get": {
    what: "session",
    parameters: ["id", "workspace"],
    answer: (queries, given) => queries.getSession(idOf(given), pick(given, "workspace")),
    session: idOf,
  },
  "session.list": {
    what: "list",
    parameters: ["workspace", "state", "since", "until", ...LIST],
    merges: true,
    answer(queries, given, among) {
      checkState(given, STATES.sessions.states);
      const filter = { ...pick(given, "workspace", "state"), ...timesOf(given), ...among };
      return queries.listSessions(filter, sliceOf(given));
    },
  },
  "session.rejections": {
    what: "session",
    parameters: ["id", "workspace"],
    answer(queries, given) {
      const found = queries.rejections(idOf(given), pick(given, "workspace"));
      return found && { items: found.rejections, rejected: found.rejected };
    },
  },
  "toolcall.get": {
    what: "tool call",
    parameters: ["id", "workspace", "session"],
    answer: (queries, given) => queries.wholeToolCall(idOf(given), pick(given, "workspace", "session")),
  },
  "toolcall.list": {
    what: "session",
    parameters: ["session", "workspace", "request", "state", "text", ...LIST],
    answer(queries, given) {
      checkState(given, CALL_STATES);
      const filter = pick(given, "workspace", "request", "state", "text");
      return queries.toolCallsOf(sessionOf(given), filter, sliceOf(given));
    },
    session: sessionOf,
  },
  "approval.get": {
    what: "approval",
    parameters: ["id", "workspace", "with"],
    answer(queries, given) {
      return queries.wholeApproval(idOf(given), pick(given, "workspace"), companionsIn(given["with"]));
    },
  },
  "approval.answer": {
    what: "approval",
    parameters: ["id", "workspace", ...SAID],
    answer: (queries, given) => queries.answerTo(idOf(given), pick(given, "workspace"), saidIn(given)),
    waits: true,
  },
  "approval.list": {
    what: "list",
    parameters: ["workspace", "state", "order", "with", ...LIST],
    merges: true,
    answer(queries, given, among) {
      checkState(given, STATES.approvals.states);
      const slice = { ...sliceOf(given), ...orderOf(given) };
      const filter = { ...pick(given, "workspace", "state"), ...among };
      return queries.listApprovals(filter, slice, companionsIn(given["with"]));
    },
  },
  "alarm.list": {
    what: "list",
    parameters: ["workspace", "state", ...LIST],
    merges: true,
    answer(queries, given, among) {
      checkState(given, STATES.alarms.states);
      return queries.listAlarms({ ...pick(given, "workspace", "state"), ...among }, sliceOf(given));
    },
  },
  history: {
    what: "session",
    parameters: ["session", "workspace", "entity", "id", "call", "entries", "standing", ...LIST],
    answer(queries, given) {
      checkEntity(given);
      const ids = defined({ id: idIn(given, "id"), call: idIn(given, "call") });
      const wish = { ...pick(given, "workspace", "entity"), ...ids, standing: isTrue(given, "standing") };
      const asked = [sessionOf(given), wish, sliceOf(given)] as const;
      return isTrue(given, "entries") ? queries.historyWithEntries(...asked) : queries.history(...asked);
    },
    session: sessionOf,
  },
  "change.list": {
    what: "list",
    parameters: ["workspace", "session", "entity", "id", "state", "after", "limit"],
    answer(queries, given) {
      checkEntity(given);
      const ids = defined({ session: idIn(given, "session"), id: idIn(given, "id") });
      const wish = { ...pick(given, "workspace", "entity", "state"), ...ids };
      const { limit } = sliceOf(given);
      return queries.changes(wish, { ...pick(given, "after"), ...defined({ limit }) });
    },
  },
  "entry.get": {
    what: "journal entry",
    parameters: ["position"],
    merges: true,
    answer: (queries, given, among) => queries.entry(Number(required(given, "position")), among),
  },
  "deadletter.list": {
    what: "list",
    parameters: ["workspace", ...LIST],
    merges: true,
    answer: (queries, given, among) =>
      queries.deadLetters(sliceOf(given), { ...pick(given, "workspace"), ...among }),
  },
  "deadletter.get": {
    what: "dead letter",
    parameters: ["n", "workspace"],
    answer: (queries, given) => queries.deadLetter(Number(required(given, "n")), pick(given, "workspace")),
  },
  "rule.list": {
    what: "list",
    parameters: ["workspace", "state", ...LIST],
    merges: true,
    answer(queries, given, among) {
      checkState(given, RULE_STATES);
      return queries.rules.list({ ...pick(given, "workspace", "state"), ...among }, sliceOf(given));
    },
  },
  "rule.suggestions": {
    what: "list",
    parameters: ["workspace", "project", "since", "limit"],
    answer(queries, given) {
      const workspace = toId(required(given, "workspace"));
      const limit = suggestedMost(sliceOf(given).limit);
      return queries.rules.suggested({
        workspace,
        since: 0,
        limit,
        ...timesOf(given),
        ...pick(given, "project"),
      });
    },
  },
  "rule.get": {
    what: "rule",
    parameters: ["id", "workspace"],
    answer: (queries, given) => queries.rules.get(idOf(given), pick(given, "workspace")),
  },
  search: {
    what: "list",
    parameters: ["text", "workspace", "limit"],
    merges: true,
    answer(queries, given, among) {
      const { limit } = sliceOf(given);
      return queries.search({ ...pick(given, "text", "workspace"), ...defined({ limit }), ...among });
    },
  },
  answers: {
    what: "answers",
    parameters: ["workspace", "since", "until", "table", "name", "column", "limit"],
    merges: true,
    answer(queries, given, among) {
      const wish = { ...wishIn(given), ...pick(given, "workspace"), ...among };
      return queries.answers({ since: 0, ...timesOf(given), ...wish });
    },
  },
  stats: { what: "stats", parameters: [], merges: true, answer: (queries, _, among) => queries.stats(among) },
} as const satisfies Readonly<Record<string, Query>>;

export type Op = keyof typeof QUERIES;

export const OPS = Object.keys(QUERIES) as readonly Op[];

export const isOp = (name: string): name is Op => Object.hasOwn(QUERIES, name);

/** What is needed to answer a query, and where a waiting caller is registered. */
export interface Asked {
  readonly engine: Engine;
  readonly queries: Queries;
  readonly waits?: (approvalId: string, within: Within) => void;
}

export interface QueryResult {
  readonly body: object;
  /** `<incarnation>-<n>`: the change after which a follower must start to get every change that the answer does not include. */
  readonly change: string;
  /** Present for a query about one session. The answer shows at least this version. */
  readonly version?: number;
}

/**
 * @param given the parameters as they arrived.
 * @param scope the only workspaces that the caller may see (SCOPE-1); all if left out.
 * @throws RefusedError for a wrong parameter, NOT_FOUND, AMBIGUOUS, or the refusals of `keptTo`; RetryableError if not ready.
 */
export async function ask(
  { engine, queries, waits }: Asked,
  op: Op,
  given: Given,
  scope?: Scope,
): Promise<QueryResult> {
  const query: Query = QUERIES[op];
  const { parameters: known } = query;
  const said = parametersOf(given, known);
  if (!engine.isReady) throw notReady();
  const look = async (workspace: string): Promise<boolean> =>
    (await query.answer(queries, { ...said, workspace }, {})) !== undefined;
  const { place, among } = await rangeOf(scope, said, { known, merges: query.merges === true, look });
  const parameters = place === undefined ? said : keptTo(place, op, known, said);
  const change = `${engine.incarnation}-${engine.meta().changes}`;
  const session = query.session?.(parameters);
  const version =
    session === undefined ? undefined : queries.versionOf(session, pick(parameters, "workspace"));
  const body = await query.answer(queries, parameters, among);
  if (body && query.waits) waits?.(idOf(parameters), pick(parameters, "workspace"));
  if (!body || (place !== undefined && !isShownIn(place, known, body)))
    throw notFound(query.what, namedIn(parameters));
  return { body, change, ...defined({ version }) };
}

const namedIn = ({ id, session, n, position }: Parameters): string => id ?? session ?? n ?? position ?? "";

const notReady = (): RetryableError =>
  new RetryableError("NOT_READY", "The engine is starting or stopping.", "Ask again shortly.", 1000);
