// Protocol
// The interface of a protocol between an agent and its client: what the proxy needs from each protocol.
//
//   Owns:          the shape of a protocol, and of a request that needs an approval.
//   Does not own:  the protocols themselves (acp, codex), using them (proxy, gates, calls).
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
  /** The usual name of the program at the client's end. */
  readonly client: string;
  /** The fields of every message. */
  readonly envelope: Fields;
  readonly harmless: HarmlessForm;
  readonly isAskedAbout: (method: string, params: Fields) => boolean;
  /** Whether a client might act on a notification, although it cannot answer it. */
  readonly isActing: (method: string) => boolean;
  /** @returns why the request cannot get an approval, if so. */
  readonly askedIn: (
    method: string,
    params: Fields,
    calls: Pick<Calls, "of" | "inputOf" | "onlyOpen">,
  ) => Asked | string;
  /** The request that waits no more, if the agent's message says so. */
  readonly overIn: (message: Message) => Over | undefined;
  /** The session whose turn is over, if the client's message says so. */
  readonly stoppedIn: (message: Message) => unknown;
  /** Takes a dialog back; undefined if the agent itself does that. */
  readonly takingBack?: (dialogId: string) => Fields;
  readonly told?: ToldWords;
  readonly talk: ConstructorParameters<typeof Talk>[1];
}

/** A request in the form in which a user is asked about it. */
export interface Asked {
  readonly session: string;
  /** Undefined if only the request names the call: then only the proxy can report how it ended. */
  readonly toolCallId?: string | undefined;
  readonly tool: string;
  readonly input: Fields;
  /** What the client shows of this call; undefined if the client would carry it out at once, so that the engine asks first. */
  readonly dialog?: (toolCallId: string) => Fields;
  /** What an answer to the dialog means. */
  readonly saidIn: (result: unknown) => Said;
  /** The answers for the agent; undefined if the client carries the request out: then the agent gets the client's answer. */
  readonly told?: Answers;
  /** Further fields that the client gets to carry the request out, beside the approved or edited input. */
  readonly beside?: Fields;
  /** The message that ends the turn, with this id if it is a request; undefined if the answer itself ends the turn. */
  readonly ending?: (id: string) => Fields;
  /** Tells the client how a call ended that the proxy made for its dialog. */
  readonly closing?: (toolCallId: string, status: "completed" | "failed") => Fields;
}

/** A request that the proxy holds, with an id for its call. */
export interface Held extends Asked {
  readonly toolCallId: string;
  /** True if no other message names the call. */
  readonly isOwn: boolean;
}

export interface Answers {
  readonly allow: Fields | undefined;
  readonly deny: Fields;
  readonly cancelled: Fields;
}

/** An answer in the client's dialog. `none`: no valid answer. */
export type Said = "allow" | "deny" | "cancelled" | "none";

export interface Over {
  readonly id: unknown;
  /** True if the request still waits for an answer. */
  readonly isAnswered: boolean;
  /** Makes the same message with the client's id of the request. */
  readonly renamed?: (id: string) => Fields;
}
