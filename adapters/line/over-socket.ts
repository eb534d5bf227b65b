// Over socket
// Sends requests to an engine of this user, through the socket in its data folder.
//
//   Owns:          the request over a socket.
//   Does not own:  the check of the folder's owner, which is the proof (data-folder).

import type { Exchange } from "../../runtime/line/exchange.ts";
import { sent, UNHEARD } from "./request.ts";

/** @param socketPath the socket path in a folder that was just checked: nobody else can have put the socket there. */
export function overSocket(socketPath: string): Exchange {
  return async (request) => {
    const headers = { Host: "localhost", ...request.headers };
    const answer = await sent({ ...request, headers }, { socketPath, agent: false });
    return answer ? { status: answer.statusCode ?? 0, body: answer } : UNHEARD;
  };
}
