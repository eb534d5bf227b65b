// Queries
// The engine's queries, as functions of the client.
//
//   Owns:          the queries and their types; reading lists page by page.
//   Does not own:  requests and replies (request-reply), the answers (runtime/reading/queries).

import type { GateAnswer } from "../../../runtime/reading/gate-answer.ts";
import type { StateChange } from "../../../runtime/rows/changes.ts";
import type { DeadLetter } from "../../../runtime/rows/dead-letters.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import type { Page, Slice } from "../../../runtime/reading/paging.ts";
import type { CallFilter, ListFilter, RequestFilter } from "../../../runtime/reading/filters.ts";
import type { CallAnswer } from "../../../runtime/reading/queries.ts";
import type { Op } from "../../../runtime/reading/query-table.ts";
import type { Stats } from "../../../runtime/reading/figures/stats.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import type { AlarmView, ApprovalView, RequestView, SessionView } from "../../../runtime/rows/views.ts";
import { answerTo, type Asked, saidOf } from "./asked.ts";
import { requestReply } from "./request-reply.ts";
import type { Link } from "./link.ts";
import { checkId } from "./options.ts";

/** A list, the newest item first. Read it item by item with `for await`, or page by page. */
export interface List<T> extends AsyncIterable<T> {
  /** One page of at most `limit` items. A page with fewer items, even with none, may still have a next page. */
  page(slice?: Slice): Promise<Page<T>>;
}

/** Where an id is looked up: several workspaces or sessions may use it. Default: the client's own workspace; `*` for any. */
export interface Where {
  readonly workspace?: string;
  readonly session?: string;
}

/** The parameters of a query. The `workspace` becomes part of the subject. */
interface Query extends Pick<Where, "workspace"> {
  readonly [parameter: string]: unknown;
}

/**
 * A query about one workspace uses this workspace's own subjects, so that the server's permissions can confine a user to it. A
 * query about all workspaces (`*`) uses the subjects for all of them.
 */
export class Queries {
  readonly #link: Link;

  constructor(link: Link) {
    this.#link = link;
  }

  /** Queries about requests. `get` returns undefined for an id that is unknown, or no longer known. */
  readonly requests = {
    get: (id: string, where: Pick<Where, "workspace"> = {}): Promise<RequestView | undefined> =>
      this.#get("request.get", { ...this.#within(where), id }),
    list: (filter: RequestFilter = {}): List<RequestView> => this.#list("request.list", this.#within(filter)),
  };

  readonly sessions = {
    get: (id: string, where: Where = {}): Promise<SessionView | undefined> =>
      this.#get("session.get", { ...this.#within(where), id }),
    list: (filter: ListFilter = {}): List<SessionView> => this.#list("session.list", this.#within(filter)),
  };

  readonly toolCalls = {
    /** The call with its whole input and output. */
    get: (id: string, where: Where = {}): Promise<CallAnswer | undefined> =>
      this.#get("toolcall.get", { ...this.#within(where), id }),
    /** The calls of a session, beginning with the calls of its newest request. */
    list: (session: string, filter: Omit<CallFilter, "session"> = {}): List<CallAnswer> =>
      this.#list("toolcall.list", { ...this.#within(filter), session }),
  };

  readonly approvals = {
    /** The approval with its whole input. */
    get: (id: string, where: Pick<Where, "workspace"> = {}): Promise<ApprovalView | undefined> =>
      this.#get("approval.get", { ...this.#within(where), id }),
    /**
     * The answer to an approval, for the service that waits for the answer. Call this every 15 s while you wait: by these calls
     * the engine knows that somebody waits.
     * @param asked the request that was published under this id.
     * @throws RefusedError ID_REUSED if another call has used the id, OTHER_ANSWER for an answer about another approval.
     */
    answer: async (
      id: string,
      asked: Asked,
      where: Pick<Where, "workspace"> = {},
    ): Promise<GateAnswer | undefined> => {
      const said = saidOf(asked);
      const answer = await this.#get<GateAnswer>("approval.answer", { ...this.#within(where), ...said, id });
      return answer && answerTo(id, said, answer);
    },
    list: (filter: ListFilter = {}): List<ApprovalView> => this.#list("approval.list", this.#within(filter)),
  };

  /** Calls that ran although they should not have, newest first. @param filter.state the kind of alarm. */
  alarms(filter: Pick<ListFilter, "workspace" | "state"> = {}): List<AlarmView> {
    return this.#list("alarm.list", this.#within(filter));
  }

  /** The changes of a session, newest first. */
  history(session: string, where: Where = {}): List<StateChange> {
    return this.#list("history", { ...this.#within(where), session });
  }

  /** Messages that the engine did not apply, each with the reason. */
  deadLetters(where: Pick<Where, "workspace"> = {}): List<DeadLetter> {
    return this.#list("deadletter.list", this.#within(where));
  }

  /** The engine's present figures and troubles, for users who may query all workspaces. */
  stats(): Promise<Stats> {
    return this.#ask("stats", {});
  }

  #within<T extends Pick<Where, "workspace">>(filter: T): T & Query {
    const { workspace = this.#link.settings.workspace } = filter;
    return { ...filter, workspace };
  }

  async #ask<T>(op: Op, { workspace = "*", ...query }: Query): Promise<T> {
    if (workspace !== "*") checkId(workspace, "workspace");
    const subject = workspace === "*" ? subjects.query(op) : subjects.ask(workspace, op);
    // Nothing checks the cast: the engine's service answers on this subject, and its reply to this query has this type.
    return (await requestReply(this.#link, subject, query)) as T;
  }

  async #get<T>(op: Op, query: Query): Promise<T | undefined> {
    try {
      return await this.#ask<T>(op, query);
    } catch (error) {
      if (error instanceof RefusedError && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  #list<T>(op: Op, filter: Query): List<T> {
    const page = (slice: Slice = {}): Promise<Page<T>> => this.#ask(op, { ...filter, ...slice });
    return {
      page,
      async *[Symbol.asyncIterator]() {
        for (let cursor: string | undefined; ;) {
          const { items, nextCursor } = await page(cursor === undefined ? {} : { cursor });
          yield* items;
          if (nextCursor === undefined) return;
          cursor = nextCursor;
        }
      },
    };
  }
}
