// Protocol
// The interface of a protocol between an agent and its client: what the proxy needs from each protocol.
//
//   Owns:          the shape of a protocol, and of a request that needs an approval.
//   Does not own:  the protocols themselves (acp, codex), using a protocol (proxy, gates, calls).
//   Decided in:    docs/decisions/0076-one-proxy-for-two-protocols.md.

import type { Fields } from "../../machines/json.ts";
import type { Calls } from "./calls.ts";
import type { HarmlessForm } from "./harmless.ts";
import type { Message } from "./message.ts";
import type { Talk } from "./talk.ts";
import type { ToldWords } from "./told.ts";

export interface Protocol {
  /** The name that the protocol's profile has in the journal. */
  readonly name: string;
  /** What users of the protocol call its client, such as `editor`. */
  readonly client: string;
  /** The fields that every message of the protocol has. */
  readonly envelope: Fields;
  readonly harmless: HarmlessForm;
  readonly isAskedAbout: (method: string, params: Fields) => boolean;
  /**
   * Whether a client might act on a notification with this method. The proxy passes no such notification on: nobody can deny it,
   * because a notification gets no answer.
   */
  readonly isActing: (method: string) => boolean;
  /** @returns what the request asks; a reason, as text, if the request cannot get an approval. */
  readonly askedIn: (
    method: string,
    params: Fields,
    calls: Pick<Calls, "of" | "inputOf" | "onlyOpen">,
  ) => Asked | string;
  /**
   * The request that the agent's message withdraws or reports as answered, so that it waits no longer; undefined if there is
   * none.
   */
  readonly overIn: (message: Message) => Over | undefined;
  /** The session in which the client's message ends the turn (the agent's work on one prompt); undefined if it ends none. */
  readonly stoppedIn: (message: Message) => unknown;
  /** The changes that an agent's message reports for a call; the proxy denies a request that waits with other changes. */
  readonly changesIn?: (message: Message) => Changed | undefined;
  /** The message with which the proxy closes a dialog of the client; undefined if the agent's own message closes the dialog. */
  readonly takingBack?: (dialogId: string) => Fields;
  readonly told?: ToldWords;
  readonly talk: ConstructorParameters<typeof Talk>[1];
}

export interface Asked {
  readonly session: string;
  /** The call's id in other messages; undefined if only this request names the call: then only the proxy can report its end. */
  readonly toolCallId?: string | undefined;
  readonly tool: string;
  readonly input: Fields;
  /** The message by which the client asks its user; undefined if the client has no dialog for the call. */
  readonly dialog?: (toolCallId: string) => Fields;
  readonly saidIn: (result: unknown) => Said;
  /** The answers for the agent; undefined if the client carries the request out, and its result is the agent's answer. */
  readonly told?: Answers;
  /** The fields that the client needs, beside the approved or edited input, to carry the request out. */
  readonly beside?: Fields;
  /** Makes the message that ends the turn; a request gets the id `id`. Undefined if the answer to the agent ends the turn. */
  readonly ending?: (id: string) => Fields;
  /** For its dialog, the proxy shows the client a made-up call. This message tells the client how that call ended. */
  readonly closing?: (toolCallId: string, status: "completed" | "failed") => Fields;
}

/** A request that waits in the proxy for its answer, with an id for its call. */
export interface Held extends Asked {
  readonly toolCallId: string;
  /** True if no message but this request names the call. */
  readonly isOwn: boolean;
}

export interface Answers {
  readonly allow: Fields | undefined;
  readonly deny: Fields;
  readonly cancelled: Fields;
}

/** The user's answer in the client's dialog. `none`: no valid answer. */
export type Said = "allow" | "deny" | "cancelled" | "none";

export interface Changed {
  readonly session: unknown;
  readonly toolCallId: unknown;
  readonly changes: unknown;
}

export interface Over {
  readonly id: unknown;
  /** True if the agent must get an answer even to a request that it has withdrawn: the proxy then answers "Cancelled." */
  readonly needsAnswer: boolean;
  readonly renamed?: (id: string) => Fields;
}
