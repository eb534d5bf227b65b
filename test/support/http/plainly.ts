// Plainly
// The way to a program that a test put in an engine's place: without the proofs that such a program cannot give.
//
//   Owns:          an exchange by plain HTTP, with a token where one is given.
//   Does not own:  what answers there (each test).

import { sent, UNHEARD } from "../../../adapters/line/request.ts";
import type { Exchange } from "../../../runtime/line/exchange.ts";

export function plainly(url: string, token?: string): Exchange {
  const { hostname: host, port } = new URL(url);
  return async (asked) => {
    const headers = { ...asked.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
    const answer = await sent({ ...asked, headers }, { host, port, agent: false });
    return answer ? { status: answer.statusCode ?? 0, body: answer } : UNHEARD;
  };
}
