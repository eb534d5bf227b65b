// Crowd
// Limits the number of open connections. If the limit is reached and a further caller connects, chooses a connection to close.
//
//   Owns:          which connections belong to one caller, how many connections may be open, choosing which connection to
//                  close.
//   Does not own:  how long a head or a request may take (server), how many streams there may be (followers, stately).
//
// CROWD-1. There are never more than 1,024 connections over TCP, and as many over the data folder's socket.
// CROWD-2. When the limit is reached and a new caller connects, the caller with the most connections loses its oldest idle one.
//     A connection is idle if it has sent no complete request head, or if all its requests are answered. If no connection is
//     idle, one whose request is still arriving is closed; if there is none either, the new connection is closed.
// CROWD-3. 64 of the connections are reserved for callers on this machine. A caller on another machine gets at most half of all
//     connections: if it has that many, a new one replaces one of its own. All users behind one proxy count as one caller.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface Places {
  readonly all: number;
  /** How many connections are reserved for callers on this machine. */
  readonly kept: number;
  /** How many connections each caller on another machine may have. */
  readonly each: number;
}

export const PLACES: Places = { all: 1_024, kept: 64, each: 512 };

interface Member {
  readonly socket: Duplex;
  readonly caller: string;
  /** The HTTP requests of the connection that are not answered yet. */
  readonly asking: Set<IncomingMessage>;
  /** True once an upgrade, as to a WebSocket, has taken over the socket: the connection is then not closed for a new one. */
  isTaken: boolean;
  /** A rising number: of two connections, the one that has been idle for longer has the smaller number. */
  since: number;
}

const HERE = "this machine";

export class Crowd {
  readonly #places: Places;
  readonly #members = new Map<string, Set<Member>>();
  readonly #bySocket = new Map<Duplex, Member>();
  #count = 0;
  #here = 0;
  #moments = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  watch(server: Server): void {
    server.on("connection", (socket) => this.#enter(socket));
    server.on("request", (request, response) => this.#ask(request, response));
    server.on("upgrade", ({ socket }) => this.#take(socket));
  }

  #enter(socket: Socket): void {
    const caller = callerOf(socket);
    if (!this.#makeRoom(caller)) {
      socket.destroy();
      return;
    }
    const member: Member = { socket, caller, asking: new Set(), isTaken: false, since: ++this.#moments };
    this.#bySocket.set(socket, member);
    this.#members.set(caller, (this.#members.get(caller) ?? new Set()).add(member));
    this.#count += 1;
    if (caller === HERE) this.#here += 1;
    socket.once("close", () => this.#leave(member));
  }

  #leave(member: Member): void {
    const { socket, caller } = member;
    if (!this.#bySocket.delete(socket)) return;
    const own = this.#members.get(caller);
    own?.delete(member);
    if (own?.size === 0) this.#members.delete(caller);
    this.#count -= 1;
    if (caller === HERE) this.#here -= 1;
  }

  #ask(request: IncomingMessage, response: ServerResponse): void {
    const member = this.#bySocket.get(request.socket);
    if (!member) return;
    member.asking.add(request);
    const done = (): void => {
      member.asking.delete(request);
      member.since = ++this.#moments;
    };
    response.once("finish", done);
    response.once("close", done);
  }

  #take(socket: Duplex): void {
    const member = this.#bySocket.get(socket);
    if (member) member.isTaken = true;
  }

  /** Closes a connection if a new caller needs its place (CROWD-2, CROWD-3). @returns false if the caller gets no place. */
  #makeRoom(caller: string): boolean {
    const { all, kept, each } = this.#places;
    const own = this.#members.get(caller)?.size ?? 0;
    if (caller !== HERE && own >= each) return this.#giveWay([caller]);
    const others = [...this.#members.keys()].filter((other) => other !== HERE);
    if (caller !== HERE && this.#count - this.#here >= all - kept) return this.#giveWay(others);
    return this.#count < all || this.#giveWay([HERE, ...others]);
  }

  #giveWay(callers: readonly string[]): boolean {
    const found = this.#oldest(callers, isIdle) ?? this.#oldest(callers, isUnfinished);
    if (!found) return false;
    this.#leave(found);
    found.socket.destroy();
    return true;
  }

  /**
   * @returns of the connections that may be closed, the oldest of the caller with the most connections; undefined if there
   * is none.
   */
  #oldest(callers: readonly string[], mayGo: (member: Member) => boolean): Member | undefined {
    let chosen: Member | undefined;
    let most = 0;
    for (const caller of callers) {
      const own = this.#members.get(caller) ?? new Set();
      if (own.size < most) continue;
      for (const member of own) {
        if (!mayGo(member) || (own.size === most && chosen && chosen.since < member.since)) continue;
        chosen = member;
        most = own.size;
      }
    }
    return chosen;
  }
}

const isIdle = ({ asking, isTaken }: Member): boolean => !isTaken && asking.size === 0;

const isUnfinished = ({ asking, isTaken }: Member): boolean =>
  !isTaken && [...asking].some(({ complete }) => !complete);

const LOOPBACK = /^(::ffff:)?127\.|^::1$/;
const HALF_OF_IPV6 = 4;

/** The caller's address. An IPv6 network (a /64) counts as one caller, because one machine may use all its 2⁶⁴ addresses. */
function callerOf({ remoteAddress, localAddress }: Socket): string {
  // A connection over the data folder's socket has no address.
  if (remoteAddress === undefined || remoteAddress === localAddress || LOOPBACK.test(remoteAddress))
    return HERE;
  if (!remoteAddress.includes(":") || remoteAddress.startsWith("::ffff:")) return remoteAddress;
  const [head = "", tail] = remoteAddress.split("::");
  const parts = [...head.split(":"), ...(tail === undefined ? [] : Array<string>(8).fill("0"))];
  return parts.slice(0, HALF_OF_IPV6).join(":");
}
