// Line
// The HTTP requests that the gate sends to its engine for a caller, the hook or program that wants an approval and waits for
// the answer.
//
//   Owns:          the form of the gate's requests, and what each reply of the engine means for a waiting caller.
//   Does not own:  when to send a request (waiting), finding the engine and checking its identity (the caller's functions).
//
// GATE-LINE-1. An answer counts only if it is well-formed and is about the approval that the gate asked for.
// GATE-LINE-2. Every request is sent by an `Exchange`, a function that checks the engine's identity before it sends anything.
// GATE-LINE-3. Once the caller no longer waits (`gone` is aborted), nothing more is sent, and the connection is closed.
// GATE-LINE-4. When the gate reports that it passed an answer on to the agent, it does not wait for the reply, because the reply
//     changes nothing for the agent.

import { isFields, jsonIn } from "../../machines/json.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import { type EngineRequest, type Exchange, textOf } from "../../runtime/line/exchange.ts";
import type { GateAnswer } from "../../runtime/reading/gate-answer.ts";

export type Closed = "ask" | "deny";

export type Told = Omit<GateAnswer, "approvalId" | "by">;

/**
 * `away`: the engine gives no answer at the moment; sending the request again may help. `unknown`: the engine does not know the
 * approval. `refused`: the engine will not accept the request, however often it is sent.
 */
export type Heard =
  | { readonly type: "told"; readonly told: Told }
  | { readonly type: "away" | "unknown" }
  | { readonly type: "refused"; readonly why: string; readonly byEngine?: true };

/** Finds the engine at each request, as a restart may change its address. Returns undefined if no engine has ever run. */
export type Where = () => Promise<Exchange | undefined>;

export interface WantedApproval {
  readonly id: string;
  readonly body: Uint8Array;
  readonly workspace: string | undefined;
  readonly onDeadline: Closed;
  /** Further query parameters of the HTTP request with which the engine is asked for the approval. */
  readonly more?: Readonly<Record<string, string>>;
}

export class Line {
  readonly #where: Where;
  readonly #approval: WantedApproval;
  readonly #gone: AbortSignal | undefined;
  #last: Exchange | undefined;

  /** @param gone aborted when the caller no longer waits. */
  constructor(where: Where, approval: WantedApproval, gone?: AbortSignal) {
    this.#where = where;
    this.#approval = approval;
    this.#gone = gone;
  }

  /** @param waitMs how long the caller will wait for the answer. @param withinMs how long this request may take. */
  ask(waitMs: number, withinMs: number): Promise<Heard> {
    const { id, body, onDeadline, more } = this.#approval;
    const wait = String(Math.max(1, Math.round(waitMs)));
    const query = new URLSearchParams({ approval: id, wait, closed: onDeadline, ...more });
    return this.#send("POST", `/v1/gate?${query.toString()}`, withinMs, body);
  }

  /** Waits for the answer. @param waitMs after this time the engine replies even if there is no answer yet. */
  answer(waitMs: number, withinMs: number): Promise<Heard> {
    return this.#send(
      "GET",
      `/v1/approvals/${this.#approval.id}/answer?wait=${Math.round(waitMs)}`,
      withinMs,
    );
  }

  /** Reports that the caller has the answer. @returns once the report is sent; nobody waits for the reply (GATE-LINE-4). */
  async taken(withinMs: number): Promise<void> {
    await this.#send("POST", `/v1/approvals/${this.#approval.id}/taken`, withinMs, new Uint8Array(), true);
  }

  /** Reports an answer that the gate gave without the engine. @param agoMs how long ago the gate gave it, ms. */
  closed(said: Closed, agoMs: number, withinMs: number): Promise<Heard> {
    const path = `/v1/approvals/${this.#approval.id}/answer?said=${said}&ago=${Math.round(agoMs)}`;
    return this.#send("DELETE", path, withinMs);
  }

  /** Sends the answer that the user gave in the caller's own dialog. The method `answer` then returns the answer that counts. */
  decide(decision: object, withinMs: number): Promise<Heard["type"]> {
    const body = Buffer.from(JSON.stringify(decision));
    const path = `/v1/approvals/${this.#approval.id}/decision`;
    return this.#send("POST", path, withinMs, body).then(({ type }) => type);
  }

  /** Tells the engine that nobody waits for the approval any more. */
  async leave(withinMs: number): Promise<void> {
    await this.#send("DELETE", `/v1/approvals/${this.#approval.id}/answer`, withinMs);
  }

  async #send(
    method: EngineRequest["method"],
    path: string,
    withinMs: number,
    body?: Uint8Array,
    isOneWay = false,
  ): Promise<Heard> {
    try {
      // A message that needs no answer goes to the engine that was asked last. Looking for an engine again would take time.
      const exchange = (isOneWay && this.#last) || (await this.#where());
      this.#last = exchange;
      if (this.#gone?.aborted === true) return { type: "refused", why: "whoever asked has left" };
      if (exchange === undefined) return { type: "refused", why: "no engine has run on its data folder" };
      const { workspace } = this.#approval;
      const late = AbortSignal.timeout(Math.max(1, Math.round(withinMs)));
      const answer = await exchange({
        method,
        path,
        isOneWay,
        signal: this.#gone ? AbortSignal.any([late, this.#gone]) : late,
        headers: {
          ...(body && { "Content-Type": "application/json" }),
          ...(workspace !== undefined && { "Signalbox-Workspace": workspace }),
        },
        ...(body && { body }),
      });
      return heard(answer.status, await textOf(answer), this.#approval.id);
    } catch (error) {
      // A RefusedError means a wrong folder or address, which stays wrong, so the request is not repeated.
      if (error instanceof RefusedError) return { type: "refused", why: error.message };
      return { type: "away" };
    }
  }
}

/** What the engine's reply says about an approval (GATE-LINE-1). @param id the approval's id. */
export function heard(status: number, text: string, id: string): Heard {
  const body = jsonIn(text);
  if (status === 200 && isTold(body, id)) return { type: "told", told: body };
  if (status === 404) return { type: "unknown" };
  if (status >= 400 && status < 500 && status !== 429)
    return { type: "refused", why: `the engine refused it (${status})`, byEngine: true };
  return { type: "away" };
}

function isTold(body: unknown, id: string): body is Told {
  if (!isFields(body)) return false;
  const { approvalId, state, decision, inputHash, message, interrupt, closed } = body;
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  return (
    approvalId === id &&
    typeof state === "string" &&
    (decision === undefined || decision === "allow" || decision === "deny") &&
    isText(inputHash) &&
    isText(message) &&
    (interrupt === undefined || typeof interrupt === "boolean") &&
    (closed === undefined || closed === "deny")
  );
}
