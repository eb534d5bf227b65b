// Queries
// Answers the queries that people and services send to the engine.
//
//   Owns:          the queries, and choosing for each query the list from which it can be answered with the fewest rows read.
//   Does not own:  protocols (adapters), the shape of views (views), waiting for new changes.
//
// A query reads only durable state (READING-READER-1). For a page of a list at most 1,000 rows are read (PAGING-1).

import { type Address, childAddress, defined, isId, parseAddress } from "../../machines/index.ts";
import type { Counted } from "../rows/actors/actor-rows.ts";
import { checkReader, type Said } from "./asker.ts";
import { type ChangePage, changesAfter, type FollowWish } from "./following.ts";
import { type Companions, type CompanionViews, withCompanions, NOBODY } from "./companions.ts";
import { type DeadLetter, letterAt, letterIn } from "../rows/dead-letters.ts";
import type { Engine } from "../engine/engine.ts";
import type { CallFilter, ListFilter, RequestFilter } from "./filters.ts";
import { fitsCall, fitsRequest, requestListsOf } from "./filters.ts";
import {
  type ChangeWish,
  countedIn,
  entriesBehind,
  entryAt,
  historyOf,
  type HistoryPage,
} from "./history.ts";
import { keys, type Owned } from "../rows/keys.ts";
import { countedOf, ledger, type Ledger } from "../rows/ledger.ts";
import { listsBy } from "../rows/listing.ts";
import { findCall, findOwned, findSession, type Hint, type Within } from "./lookup.ts";
import { type Bounds, lostUnder, mergedRows, type Page, page, rowsUnder, type Slice } from "./paging.ts";
import { RuleQueries } from "./rules.ts";
import type { Among } from "./scope.ts";
import { callsOf } from "./session-calls.ts";
import { gateAnswer, type GateAnswer } from "./gate-answer.ts";
import type { Blobs } from "../ports.ts";
import { type StandingPage, withStanding } from "./standing/left-open.ts";
import { precedentsOf } from "./precedents/precedents.ts";
import { type Found, Reader } from "./reader.ts";
import { Search, type SearchAnswer, type SearchWish } from "./search/search.ts";
import { type Answers, answers, type AnswersWish } from "./figures/answers.ts";
import { stats, type Stats, type StatsWithin } from "./figures/stats.ts";
import type { AlarmView, ApprovalView, CallView, RequestView, SessionView } from "../rows/views.ts";
import { withInputs } from "./whole-inputs.ts";

export type HistoryWish = Hint & ChangeWish & { readonly standing?: boolean };

export type CallAnswer = CallView & { readonly workspace: string };

type HeardOf = Counted & { readonly home: Address };

export class Queries {
  readonly #engine: Engine;
  readonly #reader: Reader;
  readonly #blobs: Blobs | undefined;
  readonly rules: RuleQueries;
  readonly #search: Search;

  /** @param blobs where large tool inputs are stored. Without blobs, the methods `whole…` report each large input as lost. */
  constructor(engine: Engine, blobs?: Blobs) {
    this.#engine = engine;
    this.#blobs = blobs;
    this.#reader = new Reader(engine.store, (key) => engine.defects.ofInput(key));
    this.rules = new RuleQueries(engine, this.#reader);
    this.#search = new Search(engine, this.#reader);
  }

  /**
   * @returns undefined for a request that is unknown or was removed.
   * @throws AmbiguousError if several workspaces have the id and none was named.
   */
  getRequest(id: string, within: Within = {}): RequestView | undefined {
    const found = this.#owned("request", id, within);
    return found && this.#reader.request(found, true);
  }

  /** S1.16–S1.18: requests by workspace, session, chat, state and time. @throws AmbiguousError, RefusedError */
  listRequests(filter: RequestFilter, slice: Slice = {}): Page<RequestView> {
    return this.#list(requestListsOf(this.#reader, filter), slice, filter, (found) => {
      const view = this.#reader.request(found);
      return fitsRequest(view, filter) ? view : undefined;
    });
  }

  /** @throws AmbiguousError if several workspaces have the id and none was named. */
  getSession(id: string, within: Within = {}): SessionView | undefined {
    const home = findSession(this.#reader, id, within);
    const found = home && this.#reader.actor(home);
    return found && this.#reader.session(found);
  }

  /** @throws RefusedError BAD_CURSOR, BAD_LIMIT */
  listSessions(filter: ListFilter, slice: Slice = {}): Page<SessionView> {
    return this.#list(listsBy("session", filter), slice, filter, (found) => this.#reader.session(found));
  }

  /** A session's calls, newest request first; undefined if the session is unknown. @throws AmbiguousError */
  toolCallsOf(session: string, filter: CallFilter, slice: Slice = {}): Page<CallAnswer> | undefined {
    const home = findSession(this.#reader, session, filter);
    if (!home || !this.#reader.actor(home)) return undefined;
    const { workspace } = parseAddress(home);
    const { request } = filter;
    if (request !== undefined && !isId(request)) return { items: [] };
    const rows = callsOf(this.#reader.store, home, request);
    const show = (address: string): CallAnswer | undefined => {
      const found = this.#at(address);
      if (!found) return undefined;
      const view = { workspace, ...this.#reader.call(found) };
      return fitsCall(view, filter) ? view : undefined;
    };
    return page(rows, slice, show, this.#lostFrom(keys.callsOf(home)));
  }

  /**
   * A call with its input and output. An input that is stored as a blob is shown by its hash and length only.
   * @throws AmbiguousError if several sessions have the id.
   */
  getToolCall(id: string, hint: Hint = {}): CallAnswer | undefined {
    const address = findCall(this.#reader, id, hint);
    const found = address && this.#reader.actor(address);
    return found && { workspace: found.where.workspace, ...this.#reader.call(found, true) };
  }

  /** A call with its whole input, even one stored as a blob. @throws AmbiguousError if several sessions have the id. */
  async wholeToolCall(id: string, hint: Hint = {}): Promise<CallAnswer | undefined> {
    const found = this.getToolCall(id, hint);
    return found && withInputs(this.#blobs, found);
  }

  /** @param companions what is added to each approval. @throws RefusedError BAD_CURSOR, BAD_LIMIT */
  listApprovals(
    filter: ListFilter,
    slice: Slice = {},
    companions: Companions = NOBODY,
  ): Page<ApprovalView & CompanionViews> {
    return this.#list(listsBy("approval", filter), slice, {}, (found) =>
      withCompanions(this.#reader, found, this.#reader.approval(found), companions),
    );
  }

  /** An approval with its input. An input in a blob is shown by hash and length only. @throws AmbiguousError as `getRequest`. */
  getApproval(
    id: string,
    within: Within = {},
    companions: Companions = NOBODY,
  ): (ApprovalView & CompanionViews) | undefined {
    const found = this.#owned("approval", id, within);
    return found && withCompanions(this.#reader, found, this.#reader.approval(found, true), companions);
  }

  /** An approval with its whole input, even if the input is stored as a blob. @throws AmbiguousError as `getApproval`. */
  async wholeApproval(
    id: string,
    within: Within = {},
    companions: Companions = NOBODY,
  ): Promise<(ApprovalView & CompanionViews) | undefined> {
    const found = this.getApproval(id, within, companions);
    return found && withInputs(this.#blobs, found);
  }

  /** The answer to an approval, for a caller that waits. @throws IdReusedError; RefusedError BAD_PARAMETER; AmbiguousError */
  async answerTo(id: string, within: Within, said: Said): Promise<GateAnswer | undefined> {
    const address = findOwned(this.#reader, "approval", id, within);
    if (address) checkReader(this.#reader, address, id, said);
    const found = await this.wholeApproval(id, within);
    return found && gateAnswer(id, found);
  }

  /** The alarms of calls (machines/evidence/alarm), newest first. @throws RefusedError BAD_CURSOR, BAD_LIMIT */
  listAlarms(filter: Omit<ListFilter, "since" | "until">, slice: Slice = {}): Page<AlarmView> {
    return this.#list(listsBy("alarm", filter), slice, {}, (found) => this.#reader.alarm(found));
  }

  /** The changes of a session, newest first. @throws AmbiguousError */
  history(session: string, hint: HistoryWish = {}, slice: Slice = {}): StandingPage | undefined {
    const heard = this.#heardOf(session, hint);
    return heard && this.#historyOf(heard, hint, slice);
  }

  /** The changes of a session with the journal entries that caused them. @throws AmbiguousError */
  async historyWithEntries(
    session: string,
    hint: HistoryWish = {},
    slice: Slice = {},
  ): Promise<HistoryPage | undefined> {
    const heard = this.#heardOf(session, hint);
    if (!heard) return undefined;
    const found = this.#historyOf(heard, hint, slice);
    const { rejections } = ledger(this.#rows, heard.home);
    const entries = await entriesBehind(this.#engine, found, slice, rejections);
    return { ...found, entries };
  }

  /** A journal entry; undefined if it was trimmed, or is of none of the workspaces in `among`. */
  readonly entry = (n: number, among?: Among) => entryAt(this.#engine, n, among);

  /** How many changes a session has had over its whole life; 0 for an unknown session. @throws AmbiguousError */
  versionOf(session: string, hint: Hint = {}): number {
    const home = findSession(this.#reader, session, hint);
    return (home && this.#countedOf(home)?.version) ?? 0;
  }

  /** How many messages a session rejected, and the newest rejections, newest first. @throws AmbiguousError */
  rejections(session: string, hint: Hint = {}): Pick<Ledger, "rejected" | "rejections"> | undefined {
    const home = findSession(this.#reader, session, hint);
    if (!home || (this.#reader.row(keys.ledger(home)) ?? this.#countedOf(home)) === undefined)
      return undefined;
    const { rejected, rejections } = ledger(this.#rows, home);
    return { rejected, rejections: rejections.toReversed() };
  }

  /** @throws RefusedError BAD_CURSOR, BAD_LIMIT */
  deadLetters(
    slice: Slice = {},
    { workspace, workspaces }: Pick<ListFilter, "workspace" | "workspaces"> = {},
  ): Page<DeadLetter> {
    const rows = rowsUnder(this.#reader.store, keys.deads);
    const places = workspace === undefined ? workspaces : [workspace];
    return page(rows, slice, (text) => letterIn(text, places), this.#lostFrom(keys.deads));
  }

  /** The changes after a place in the change log. @throws RefusedError BAD_CURSOR, BAD_LIMIT */
  changes(wish: FollowWish, from: { readonly after?: string; readonly limit?: number }): ChangePage {
    return changesAfter(this.#engine, wish, from, this.#lostFrom(keys.changes));
  }

  /** A dead letter by its number; undefined if the letter does not exist, or was removed. */
  readonly deadLetter = (n: number, { workspace }: Pick<Hint, "workspace"> = {}): DeadLetter | undefined =>
    letterAt(this.#reader.store, n, workspace === undefined ? undefined : [workspace]);

  /** Finds sessions, requests and calls by words. @throws RefusedError BAD_PARAMETER, BAD_LIMIT */
  readonly search = (wish: SearchWish): Promise<SearchAnswer> => this.#search.find(wish);
  readonly stats = (among?: Among): Stats | StatsWithin => stats(this.#engine, among);
  readonly answers = (wish: AnswersWish): Promise<Answers> => answers(this.#reader, wish);
  readonly precedents = (id: string, within: Within) => precedentsOf(this.#engine, this.#reader, id, within);

  readonly #rows = { get: (key: string): unknown => this.#reader.row(key), keys: (): [] => [] };

  #historyOf({ home, newest }: HeardOf, wish: HistoryWish, slice: Slice): StandingPage {
    const callOf = (approvalId: string): string | undefined => {
      const found = this.#reader.actor(childAddress(home, "approval", approvalId));
      return found && this.#reader.approval(found).callId;
    };
    const lost = this.#lostFrom(keys.changes);
    const found = historyOf(this.#reader.store, home, newest, wish, slice, lost, callOf);
    return withStanding(this.#reader, home, found, wish, slice, this.#lostFrom(""));
  }

  #heardOf(session: string, hint: Hint): HeardOf | undefined {
    const home = findSession(this.#reader, session, hint);
    const counted = home && this.#countedOf(home);
    return home && counted && { home, ...counted };
  }

  #countedOf(home: Address): Counted | undefined {
    try {
      return countedOf(this.#rows, home);
    } catch (error) {
      this.#engine.defects.ofRow(keys.actor(home), error);
      return countedIn(this.#reader.store, home, this.#engine.meta().changes);
    }
  }

  #owned(kind: Owned, id: string, within: Within): Found | undefined {
    const address = findOwned(this.#reader, kind, id, within);
    return address && this.#reader.actor(address);
  }

  #list<T>(
    lists: readonly (readonly string[])[],
    slice: Slice,
    { since, until }: { readonly since?: number; readonly until?: number },
    show: (found: Found) => T | undefined,
  ): Page<T> {
    const { store } = this.#reader;
    const rows = lists.map((list) => {
      const prefix = keys.list(list);
      const end = (at: number | undefined): string | undefined =>
        at === undefined ? undefined : keys.listFrom(list, at).slice(prefix.length);
      const bounds: Bounds = defined({ from: end(since), until: end(until) });
      return rowsUnder(store, prefix, bounds);
    });
    const read = (address: string): T | undefined => {
      const found = this.#at(address);
      return found && show(found);
    };
    const lost = lostUnder(store, lists.map(keys.list), this.#engine.defects);
    return page(mergedRows(rows), slice, read, lost);
  }

  readonly #lostFrom =
    (prefix: string) =>
    (place: string, error: unknown): void =>
      this.#engine.defects.ofRow(prefix + place, error);

  #at(row: string): Found | undefined {
    // The cast is safe: rows of lists hold addresses that the engine made. An empty row stands for no actor: it only counts as
    // one row that was read (session-calls).
    return row === "" ? undefined : this.#reader.actor(JSON.parse(row) as Address);
  }
}
