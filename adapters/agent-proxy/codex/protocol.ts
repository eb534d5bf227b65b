// Protocol
// The protocol of Codex's app-server, as the proxy has to know it.
//
//   Owns:          its name, how its stream looks, how a request is told to be over and a turn interrupted.
//   Does not own:  what is asked (asked), what is told (conversation).
//   Decided in:    docs/decisions/0076-one-proxy-for-two-protocols.md.
//
// CODEX-PROTOCOL-1. That a request is over is told to the client by the id that it knows it by.

import { paramsIn } from "../message.ts";
import type { Protocol } from "../protocol.ts";
import { askedIn, isActing, isAskedAbout } from "./asked.ts";
import { conversation } from "./conversation.ts";

const RESOLVED = "serverRequest/resolved";

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
    const params = paramsIn(message, "notification", RESOLVED);
    const renamed = (requestId: string) => ({ method: RESOLVED, params: { ...params, requestId } });
    return params && { id: params["requestId"], isAnswered: false, renamed };
  },
  stoppedIn: (message) => paramsIn(message, "request", "turn/interrupt")?.["threadId"],
  talk: conversation,
};
