// Sessions
// The known sessions of one agent, with what client and agent reported of each.
//
//   Owns:          a session's id in the engine, its folder and prompt; reporting the end of a session and of a prompt.
//   Does not own:  which messages report a session (each protocol).
//
// PROXY-SESSIONS-1. A session's id begins with the name of the agent's program, so that no agent can report in another's name.
// PROXY-SESSIONS-2. Memory is bounded: the oldest session is forgotten first.
// PROXY-SESSIONS-3. Each note has the agent's own name and version, each cut to 100 characters.

import type { Fields } from "../../machines/json.ts";
import { defined } from "../../machines/defined.ts";
import { toId } from "../../runtime/foreign-id.ts";
import { Bounded } from "./bounded.ts";
import type { Around, Note, Review, Stopped } from "./notes.ts";
import { shortened, wellFormed } from "./told.ts";

export interface Session {
  readonly cwd?: string;
  readonly prompt?: string;
}

export interface SessionParts {
  readonly name: string;
  readonly run: string;
  readonly tell: (note: Note) => void;
}

export interface Reviewed extends Review {
  readonly call: string;
  readonly tool: string;
  readonly tool_input: Fields;
}

const SESSIONS_MAX = 1_000;
const NAME_MAX = 100;

export class Sessions {
  #agent: Around["agent"];
  readonly #parts: SessionParts;
  readonly #known = new Bounded<string, Session>(SESSIONS_MAX);

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  greeted(name: unknown, version: unknown): void {
    const short = (text: unknown) =>
      typeof text === "string" ? wellFormed(text.slice(0, NAME_MAX)) : undefined;
    const agent = defined({ name: short(name), version: short(version) });
    this.#agent = "name" in agent ? { ...agent, name: agent.name } : undefined;
  }

  of(session: string): Session | undefined {
    return this.#known.get(session);
  }

  around(session: string): Around {
    const id = toId(wellFormed(`${this.#parts.name}-${session}`));
    return { session: id, ...defined({ cwd: this.of(session)?.cwd, agent: this.#agent }) };
  }

  withPrompt(session: string): Around & { readonly prompt?: string } {
    return { ...this.around(session), ...defined({ prompt: this.of(session)?.prompt }) };
  }

  began(session: string, cwd: string | undefined, resumed: boolean): void {
    this.#known.set(session, defined({ cwd }));
    this.#parts.tell({ told: "session", ...this.around(session), resumed });
  }

  isPrompted(session: string, prompt: string): boolean {
    return this.of(session)?.prompt === toId(wellFormed(prompt));
  }

  /** @param prompt the id that the agent gave the prompt. */
  prompted(session: string, prompt: string, text: string): void {
    const id = toId(wellFormed(prompt));
    this.#known.set(session, { ...this.of(session), prompt: id });
    this.#parts.tell({ told: "prompt", ...this.around(session), prompt: id, text });
  }

  stopped(session: string, prompt: string, outcome: Stopped["outcome"], why = "the turn failed"): void {
    const error = outcome === "failed" ? shortened(why) : undefined;
    const end = { prompt: toId(wellFormed(prompt)), outcome, ...defined({ error }) };
    this.#parts.tell({ told: "stopped", ...this.around(session), ...end });
  }

  titled(session: string, title: string | undefined): void {
    if (title === undefined) return;
    this.#parts.tell({ told: "session", ...this.around(session), title });
  }

  said(session: string, text = ""): void {
    if (text === "") return;
    this.#parts.tell({ told: "said", ...this.withPrompt(session), text: shortened(text) });
  }

  called(session: string, call: object | undefined): void {
    if (call) this.#parts.tell({ told: "call", ...this.withPrompt(session), ...call } as Note);
  }

  left(session: string): void {
    if (!this.#known.has(session)) return;
    this.#parts.tell({ told: "session", ...this.around(session), ended: true });
    this.#known.delete(session);
  }

  reviewed(session: string, reviewed: Reviewed | undefined): void {
    if (reviewed === undefined) return;
    const { review, message, ...of } = reviewed;
    const about = { ...this.withPrompt(session), ...of };
    const id = toId(wellFormed(`review-${review}-${this.#parts.run}`));
    const words = message === undefined ? {} : { message: shortened(message) };
    this.#parts.tell({ told: "review", ...about, review: id, ...words });
  }

  /** Called when the agent or the client has ended. */
  ended(): void {
    for (const session of [...this.#known.keys()]) this.left(session);
  }
}
