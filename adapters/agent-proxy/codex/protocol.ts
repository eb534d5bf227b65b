// Protocol
// The parts of the protocol of Codex's app-server that the proxy uses.
//
//   Owns:          the protocol's name, the form of its stream, how the end of a request is reported, and how the client
//                  interrupts a turn (Codex's work on one prompt).
//   Does not own:  which requests need an approval (asked), what is reported (conversation).
//   Decided in:    docs/decisions/0076-one-proxy-for-two-protocols.md.
//
// CODEX-PROTOCOL-1. The proxy reports the end of a request to the client under the id by which the client knows the request.

import { paramsIn } from "../message.ts";
import type { Protocol } from "../protocol.ts";
import { fieldsIn } from "../told.ts";
import { askedIn, isActing, isAskedAbout } from "./asked.ts";
import { conversation } from "./conversation.ts";

const RESOLVED = "serverRequest/resolved";

export const codexProtocol: Protocol = {
  name: "codex",
  client: "client",
  // Codex's lines carry no version of the protocol.
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
    return params && { id: params["requestId"], needsAnswer: false, renamed };
  },
  stoppedIn: (message) => paramsIn(message, "request", "turn/interrupt")?.["threadId"],
  talk: conversation,
  changesIn(message) {
    if (message.type !== "notification") return undefined;
    const { method, params } = message;
    const session = params["threadId"];
    if (method === "item/fileChange/patchUpdated")
      return { session, toolCallId: params["itemId"], changes: params["changes"] };
    const { type, id, changes } = fieldsIn(params, "item");
    const isReport = method === "item/started" || method === "item/completed";
    return isReport && type === "fileChange" ? { session, toolCallId: id, changes } : undefined;
  },
};
