// Protocol
// The protocol of Codex's app-server, as the proxy has to know it.
//
//   Owns:          its name, how its stream looks, how a request is told to be over and a turn interrupted.
//   Does not own:  what is asked (asked), what is told (conversation).
//   Decided in:    docs/decisions/0076-one-proxy-for-two-protocols.md.
//
// CODEX-PROTOCOL-1. That a request is over is told to the client by the id that it knows it by.

import type { Protocol } from "../protocol.ts";
import { askedIn, isActing, isAskedAbout } from "./asked.ts";
import { Conversation } from "./conversation.ts";
import { itemWords } from "./items.ts";

export const codexProtocol: Protocol = {
  name: "codex",
  client: "client",
  // It says no version on its lines.
  envelope: {},
  harmless: {
    head: /\{"method":"item\/(?:agentMessage\/delta|reasoning\/\w+Delta|\w+\/outputDelta)","params":\{/y,
    read: /method/i,
  },
  isAskedAbout,
  isActing,
  askedIn,
  overIn(message) {
    if (message.type !== "notification" || message.method !== "serverRequest/resolved") return undefined;
    const { method, params } = message;
    const renamed = (requestId: string) => ({ method, params: { ...params, requestId } });
    return { id: params["requestId"], isAnswered: false, renamed };
  },
  stoppedIn: (message) =>
    message.type === "request" && message.method === "turn/interrupt"
      ? message.params["threadId"]
      : undefined,
  told: itemWords,
  converse: (parts) => new Conversation(parts),
};
