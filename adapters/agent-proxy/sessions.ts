// Sessions
// The sessions of one agent, as far as they are told of, with what both said of each.
//
//   Owns:          the id of a session in the engine, its folder and prompt, that each is told as ended.
//   Does not own:  which messages tell of one (each protocol).
//
// PROXY-SESSIONS-1. A session's id is the agent's behind the name of the program that a person gave: one agent cannot speak in
//     another's name.
// PROXY-SESSIONS-2. Memory is bounded: the oldest is forgotten first.

import { defined } from "../../machines/defined.ts";
import { toId } from "../../runtime/foreign-id.ts";
import { Bounded } from "./bounded.ts";
import { wellFormed } from "./calls.ts";
import type { Fields } from "./message.ts";
import type { Around, Note, Review, Stopped } from "./notes.ts";
import type { TalkParts } from "./protocol.ts";

export interface Session {
  readonly cwd?: string;
  readonly prompt?: string;
}

const SESSIONS_MAX = 1_000;

export class Sessions {
  /** As the agent names itself. */
  agent: Around["agent"];
  readonly #parts: Pick<TalkParts, "name" | "tell">;
  readonly #known = new Bounded<string, Session>(SESSIONS_MAX);

  constructor(parts: Pick<TalkParts, "name" | "tell">) {
    this.#parts = parts;
  }

  of(session: string): Session | undefined {
    return this.#known.get(session);
  }

  around(session: string): Around {
    const id = toId(wellFormed(`${this.#parts.name}-${session}`));
    return { session: id, ...defined({ cwd: this.of(session)?.cwd, agent: this.agent }) };
  }

  promptOf(session: string): { readonly prompt?: string } {
    return defined({ prompt: this.of(session)?.prompt });
  }

  began(session: string, cwd: string | undefined, resumed: boolean): void {
    this.#known.set(session, defined({ cwd }));
    this.#parts.tell({ told: "session", ...this.around(session), resumed });
  }

  prompted(session: string, prompt: string, text: string): void {
    this.#known.set(session, { ...this.of(session), prompt });
    this.#parts.tell({ told: "prompt", ...this.around(session), prompt, text });
  }

  stopped(session: string, prompt: string, end: Stopped): void {
    this.#parts.tell({ told: "stopped", ...this.around(session), prompt, ...end });
  }

  titled(session: string, title: string): void {
    if (title === "") return;
    this.#parts.tell({ told: "session", ...this.around(session), title });
  }

  /** @param text empty where it said nothing. */
  said(session: string, text: string): void {
    if (text === "") return;
    this.#parts.tell({ told: "said", ...this.around(session), ...this.promptOf(session), text });
  }

  called(session: string, call: object | undefined): void {
    if (call)
      this.#parts.tell({ told: "call", ...this.around(session), ...this.promptOf(session), ...call } as Note);
  }

  left(session: string): void {
    if (!this.#known.has(session)) return;
    this.#parts.tell({ told: "session", ...this.around(session), ended: true });
    this.#known.delete(session);
  }

  /** A model of the agent's own answered in a person's place. */
  reviewed(
    session: string,
    review: Review & { readonly call: string; readonly tool: string; readonly tool_input: Fields },
  ): void {
    this.#parts.tell({ told: "review", ...this.around(session), ...this.promptOf(session), ...review });
  }

  /** One side is gone. */
  ended(): void {
    for (const session of [...this.#known.keys()]) this.left(session);
  }
}
