// Protocol
// The parts of the Agent Client Protocol, version 1, that the proxy uses.
//
//   Owns:          its name, the form of its stream, how a request is taken back and a turn cancelled.
//   Does not own:  which requests need an approval (asked), what is reported (conversation).
//   Decided in:    docs/decisions/0075-an-agent-is-asked-for-by-a-proxy.md.

import { paramsIn } from "../message.ts";
import type { Protocol } from "../protocol.ts";
import { askedIn, isActing, isAskedAbout, toolOf } from "./asked.ts";
import { conversation } from "./conversation.ts";
import { outputOf } from "../texts.ts";
import { aboutOf, isRefused } from "./updates.ts";

export const acpProtocol: Protocol = {
  name: "acp",
  client: "editor",
  envelope: { jsonrpc: "2.0" },
  harmless: {
    head: /\{ ?"jsonrpc": ?"2\.0", ?"method": ?"session\/update", ?"params": ?\{/y,
    // `tool_call` and `session_info_update` are reported to the engine.
    read: /method|tool_call|session_info/i,
  },
  isAskedAbout,
  isActing,
  askedIn,
  overIn(message) {
    const params = paramsIn(message, "notification", "$/cancel_request");
    return params && { id: params["requestId"], isAnswered: true };
  },
  stoppedIn: (message) => paramsIn(message, "notification", "session/cancel")?.["sessionId"],
  takingBack: (requestId) => ({ method: "$/cancel_request", params: { requestId } }),
  told: { toolOf, outputOf, aboutOf, isRefused },
  talk: conversation,
};
