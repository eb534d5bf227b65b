// Protocol
// What a protocol between an agent and its client brings to the proxy: the words for what the proxy does in any of them.
//
//   Owns:          the shape of a protocol, and of what is asked in it.
//   Does not own:  the protocols (acp, codex), what is done with them (proxy, gates, calls).
//   Decided in:    docs/decisions/0076-one-proxy-for-two-protocols.md.

import type { Fields } from "../../machines/json.ts";
import type { Calls } from "./calls.ts";
import type { HarmlessForm } from "./harmless.ts";
import type { Message } from "./message.ts";
import type { Talk } from "./talk.ts";
import type { ToldWords } from "./told.ts";

export interface Protocol {
  /** The profile's name in the journal. */
  readonly name: string;
  /** The program at the other end from the agent, as people call it. */
  readonly client: string;
  /** What every message begins with. */
  readonly envelope: Fields;
  readonly harmless: HarmlessForm;
  readonly isAskedAbout: (method: string, params: Fields) => boolean;
  /** Without an id nobody could be answered; a client might act on it all the same. */
  readonly isActing: (method: string) => boolean;
  /** @returns why it cannot be asked about, where that is so. */
  readonly askedIn: (
    method: string,
    params: Fields,
    calls: Pick<Calls, "of" | "inputOf" | "onlyOpen">,
  ) => Asked | string;
  /** The request that waits no more, if the agent's message says so. */
  readonly overIn: (message: Message) => Over | undefined;
  /** The session whose turn is over, if the client's message says so. */
  readonly stoppedIn: (message: Message) => unknown;
  /** Takes a dialog back; undefined where the agent tells the client itself. */
  readonly takingBack?: (dialogId: string) => Fields;
  readonly told?: ToldWords;
  readonly talk: ConstructorParameters<typeof Talk>[1];
}

/** A request in the form in which a person is asked about it. */
export interface Asked {
  readonly session: string;
  /** Undefined where the request alone tells of the call: how it ended, the proxy alone can tell. */
  readonly toolCallId?: string | undefined;
  readonly tool: string;
  readonly input: Fields;
  /** What the client shows a person of this call; undefined where it would do it at once: the engine is asked before it. */
  readonly dialog?: (toolCallId: string) => Fields;
  /** What an answer to the dialog means. */
  readonly saidIn: (result: unknown) => Said;
  /** What the agent is told; undefined where the client is to do it, and its answer is the answer. */
  readonly told?: Answers;
  /** What the client is to do it with, beside the input that was asked about, or an edited one. */
  readonly beside?: Fields;
  /** Ends the turn, under this id where that is a request; undefined where the answer does. */
  readonly ending?: (id: string) => Fields;
  /** Tells the client how a call ended that the proxy made for its dialog. */
  readonly closing?: (toolCallId: string, status: "completed" | "failed") => Fields;
}

/** A request that the proxy holds, with an id for its call. */
export interface Held extends Asked {
  readonly toolCallId: string;
  /** True if no other message tells of the call. */
  readonly isOwn: boolean;
}

export interface Answers {
  readonly allow: Fields | undefined;
  readonly deny: Fields;
  readonly cancelled: Fields;
}

/** An answer in the client's dialog. `none`: it has no answer that counts. */
export type Said = "allow" | "deny" | "cancelled" | "none";

export interface Over {
  /** The agent's. */
  readonly id: unknown;
  /** True if it waits for an answer all the same. */
  readonly isAnswered: boolean;
  /** The same message, with the id that the client knows the request by. */
  readonly renamed?: (id: string) => Fields;
}
