// Line
// The gate's line to its engine, over HTTP.
//
//   Owns:          its requests, and what each answer means to one who waits.
//   Does not own:  when to ask (waiting), where the engine is (given).
//
// GATE-LINE-1. Whatever is not understood is no answer.
// GATE-LINE-2. A data folder's token is sent to this machine only; one that was given goes where it was given for.
// GATE-LINE-3. Once whoever asked has left, nothing more is sent, and the connection is closed.
// GATE-LINE-4. Whether the word that an answer was passed on arrives is not waited for: it changes nothing for the agent.

import { request as plainRequest } from "node:http";

export type Closed = "ask" | "deny";

/** What the engine says of the approval. */
export interface Told {
  readonly state: string;
  readonly decision?: "allow" | "deny";
  readonly inputHash?: string;
  readonly updatedInput?: unknown;
  readonly message?: string;
  readonly interrupt?: boolean;
}

/**
 * `away`: no answer, or not now; asking again may help. `unknown`: the engine does not know the approval. `refused`: it
 * will not take it.
 */
export type Heard =
  | { readonly type: "told"; readonly told: Told }
  | { readonly type: "away" | "unknown" }
  | { readonly type: "refused"; readonly why: string };

/** Read anew for each request: an engine that was started again may listen elsewhere. */
export type Where = () => Promise<Whereabouts | undefined>;

export interface Whereabouts {
  readonly url: string;
  readonly token: string;
  /** The token was given together with the address, which may be of another machine. */
  readonly isGiven?: boolean;
}

export interface WantedApproval {
  readonly id: string;
  readonly body: Uint8Array;
  readonly workspace: string | undefined;
  readonly onDeadline: Closed;
  /** What else stands in the question's address. */
  readonly more?: Readonly<Record<string, string>>;
}

const HERE: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export class Line {
  readonly #where: Where;
  readonly #approval: WantedApproval;
  readonly #gone: AbortSignal | undefined;
  #last: Awaited<ReturnType<Where>>;

  /** @param gone aborted when whoever asks has left. */
  constructor(where: Where, approval: WantedApproval, gone?: AbortSignal) {
    this.#where = where;
    this.#approval = approval;
    this.#gone = gone;
  }

  /** Brings the approval. @param waitMs how long it will be waited for. @param withinMs how long this may take. */
  ask(waitMs: number, withinMs: number): Promise<Heard> {
    const { id, body, onDeadline, more } = this.#approval;
    const wait = String(Math.max(1, Math.round(waitMs)));
    const query = new URLSearchParams({ approval: id, wait, closed: onDeadline, ...more });
    return this.#send("POST", `/v1/gate?${query.toString()}`, withinMs, body);
  }

  /** Waits for the answer. @param waitMs how long the engine may take to say that there is none yet. */
  answer(waitMs: number, withinMs: number): Promise<Heard> {
    return this.#send(
      "GET",
      `/v1/approvals/${this.#approval.id}/answer?wait=${Math.round(waitMs)}`,
      withinMs,
    );
  }

  /**
   * Says that the answer was passed on. @returns once that has left; nobody waits for the reply (GATE-LINE-4).
   */
  async taken(withinMs: number): Promise<void> {
    await this.#send("POST", `/v1/approvals/${this.#approval.id}/taken`, withinMs, new Uint8Array(), true);
  }

  /** Says what was answered without the engine. @param agoMs since when. */
  closed(said: Closed, agoMs: number, withinMs: number): Promise<Heard> {
    const path = `/v1/approvals/${this.#approval.id}/answer?said=${said}&ago=${Math.round(agoMs)}`;
    return this.#send("DELETE", path, withinMs);
  }

  /** Says that nobody waits for it any more. */
  async leave(withinMs: number): Promise<void> {
    await this.#send("DELETE", `/v1/approvals/${this.#approval.id}/answer`, withinMs);
  }

  /** @param isOneWay to resolve as soon as it has left. */
  async #send(
    method: string,
    path: string,
    withinMs: number,
    body?: Uint8Array,
    isOneWay = false,
  ): Promise<Heard> {
    // What is said one way is said to the engine that answered just now.
    const where = (isOneWay && this.#last) || (await this.#where());
    this.#last = where;
    if (this.#gone?.aborted === true) return { type: "refused", why: "whoever asked has left" };
    if (where === undefined) return { type: "refused", why: "no engine has run on its data folder" };
    const url = new URL(path, where.url);
    if (where.isGiven !== true && !HERE.includes(url.hostname))
      return { type: "refused", why: `the engine's address is not on this machine: ${url.host}` };
    const { workspace } = this.#approval;
    // The hook's program never needs it, and starts without it.
    const request = url.protocol === "https:" ? (await import("node:https")).request : plainRequest;
    const late = AbortSignal.timeout(Math.max(1, Math.round(withinMs)));
    return new Promise((resolve) => {
      const away = (): void => resolve({ type: "away" });
      const sent = request(
        url,
        {
          method,
          agent: false,
          signal: this.#gone ? AbortSignal.any([late, this.#gone]) : late,
          headers: {
            Authorization: `Bearer ${where.token}`,
            ...(body && { "Content-Type": "application/json", "Content-Length": body.length }),
            ...(workspace !== undefined && { "Signalbox-Workspace": workspace }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          response.on("data", (chunk: Buffer) => {
            bytes += chunk.length;
            if (bytes > ANSWER_BYTES_MAX) sent.destroy();
            else chunks.push(chunk);
          });
          response.on("error", away);
          response.on("close", away);
          response.on("end", () =>
            resolve(heard(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"))),
          );
        },
      );
      sent.on("error", away);
      if (isOneWay) sent.on("finish", away);
      sent.end(body);
    });
  }
}

/** GATE-LINE-1. */
export function heard(status: number, text: string): Heard {
  const body = parsed(text);
  if (status === 200 && isTold(body)) return { type: "told", told: body };
  if (status === 404) return { type: "unknown" };
  if (status >= 400 && status < 500 && status !== 429)
    return { type: "refused", why: `the engine refused it (${status})` };
  return { type: "away" };
}

function isTold(body: unknown): body is Told {
  if (typeof body !== "object" || body === null) return false;
  const { state, decision, inputHash, message, interrupt } = body as Record<string, unknown>;
  const isText = (value: unknown): boolean => value === undefined || typeof value === "string";
  return (
    typeof state === "string" &&
    (decision === undefined || decision === "allow" || decision === "deny") &&
    isText(inputHash) &&
    isText(message) &&
    (interrupt === undefined || typeof interrupt === "boolean")
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
