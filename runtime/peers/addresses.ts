// Addresses
// The addresses of one peer (another engine whose sessions this engine shows), if several engines answer for this peer, each at
// its own address: the owner of a journal and its spares.
//
//   Owns:          to which address of a peer a request goes, and when the next address is tried.
//   Does not own:  the connections (adapters/line), how long an answer may take (peers).
//   Decided in:    docs/decisions/0101-one-inbox-over-several-engines.md.
//
// PEERS-ADDRESSES-1. A read goes to the address that answered last. If this address fails, is not ready or is slow, the next
//     address is asked, too, and the first answer counts. So an address that is dead or hangs does not use up the time for an
//     answer.
// PEERS-ADDRESSES-2. A request that changes something is sent once, to one address. Just before, this engine asks the peer's
//     addresses which of them is ready. Only the owner is ready, so the request goes to the owner. If no address is ready, the
//     request goes to an address that answers.

import type { EngineAnswer, EngineRequest, Exchange } from "../line/exchange.ts";
import type { Clock } from "../ports.ts";
import { anyNews, pause, settling, waitFor } from "../wait-for.ts";

/**
 * If an address has not answered after this time, ms, the peer's next address is asked as well. So three addresses can be asked
 * before a list is shown (`LIST_MS`).
 */
const HEAD_START_MS = 75;
/** The answer of an engine that is not ready counts only if no better answer comes within this time, ms. */
const PATIENCE_MS = 1_000;

interface Heard {
  readonly exchange: Exchange;
  readonly answer: EngineAnswer;
}

type IsWanted = (answer: EngineAnswer) => boolean;

/**
 * True for an answer that says something about the engine's rows. False for the answer of an engine that is not ready, is too
 * busy or does not know the token, and for a redirect, which no engine sends.
 */
const tells: IsWanted = ({ status }) =>
  status !== 401 && status !== 429 && status < 500 && !(status >= 300 && status < 400);

const isReady: IsWanted = ({ status }) => status === 200;

/**
 * An exchange with whichever address answers first.
 * @param exchanges one for each address of an engine.
 * @throws AggregateError if no address answers.
 */
export function anyOf(exchanges: readonly Exchange[], clock: Clock): Exchange {
  const [only] = exchanges;
  if (only && exchanges.length === 1) return only;
  let order = exchanges;
  const ask = async (request: EngineRequest, isWanted: IsWanted): Promise<Heard> => {
    const heard = await firstHeard(clock, order, request, isWanted);
    order = [heard.exchange, ...order.filter((each) => each !== heard.exchange)];
    return heard;
  };
  return async (request) => {
    if (request.method === "GET") return (await ask(request, tells)).answer;
    const { signal } = request;
    const { exchange } = await ask({ method: "GET", path: "/readyz", ...(signal && { signal }) }, isReady);
    return exchange(request);
  };
}

async function firstHeard(
  clock: Clock,
  exchanges: readonly Exchange[],
  request: EngineRequest,
  isWanted: IsWanted,
): Promise<Heard> {
  const isOver = new AbortController();
  const given = request.signal ? [request.signal] : [];
  const over = AbortSignal.any([isOver.signal, ...given]);
  let turn: Promise<unknown> = Promise.resolve();
  const tries = exchanges.map((exchange) => {
    const lost = new AbortController();
    const asked = turn.then(async () => {
      over.throwIfAborted();
      const answer = await exchange({ ...request, signal: AbortSignal.any([lost.signal, ...given]) });
      if (isWanted(answer)) isOver.abort();
      return answer;
    });
    turn = turn.then(() => waitFor(settling(asked), anyNews, { clock, ms: HEAD_START_MS }, over));
    const heard = asked.then(async (answer) => {
      if (!isWanted(answer)) {
        await pause({ clock, ms: PATIENCE_MS }, over);
        over.throwIfAborted();
      }
      return { exchange, answer };
    });
    return { exchange, heard, lost };
  });
  const first = await Promise.any(tries.map(({ heard }) => heard));
  for (const { exchange, lost } of tries) if (exchange !== first.exchange) lost.abort();
  return first;
}
