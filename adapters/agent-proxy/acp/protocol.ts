// Protocol
// The parts of the Agent Client Protocol, version 1, that the proxy uses.
//
//   Owns:          the protocol's name, the form of its stream, how a request is taken back, and how the client ends a turn
//                  (the agent's work on one prompt).
//   Does not own:  which requests need an approval (asked), what is reported (conversation).
//   Decided in:    docs/decisions/0075-an-agent-is-asked-for-by-a-proxy.md.

import { paramsIn } from "../message.ts";
import type { Protocol } from "../protocol.ts";
import { askedIn, isActing, isAskedAbout, toolOf } from "./asked.ts";
import { conversation } from "./conversation.ts";
import { aboutOf, isRefused } from "./conversation.ts";
import { outputOf } from "../told.ts";

export const acpProtocol: Protocol = {
  name: "acp",
  client: "editor",
  envelope: { jsonrpc: "2.0" },
  harmless: {
    head: /\{ ?"jsonrpc": ?"2\.0", ?"method": ?"session\/update", ?"params": ?\{/y,
    // The proxy reads lines with `tool_call` or `session_info`, because it reports these to the engine.
    read: /method|tool_call|session_info/i,
  },
  isAskedAbout,
  isActing,
  askedIn,
  overIn(message) {
    const params = paramsIn(message, "notification", "$/cancel_request");
    return params && { id: params["requestId"], needsAnswer: true };
  },
  stoppedIn: (message) => paramsIn(message, "notification", "session/cancel")?.["sessionId"],
  takingBack: (requestId) => ({ method: "$/cancel_request", params: { requestId } }),
  told: { toolOf, outputOf, aboutOf, isRefused },
  talk: conversation,
};
