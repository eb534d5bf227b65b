// Crowd
// The connections there are, and which of them gives way to a new one when all places are taken.
//
//   Owns:          who counts as one caller, the number of places, choosing who gives way.
//   Does not own:  how long a head or a request may take (server), how many streams there may be (followers, stately).
//
// CROWD-1. There are never more than 1,024 connections.
// CROWD-2. Whoever says what they want is not shut out by those who do not. When all places are taken, a connection
//     gives way over which nothing is asked just now: its head is not finished, or its last answer was given. It is the
//     oldest of the caller with the most connections. Where there is none, one gives way whose request has not come to
//     its end.
// CROWD-3. This machine keeps 64 places to itself; any other caller has half of all at most. A proxy is one caller:
//     within its half, its own connections give way to one another.

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

export interface Places {
  readonly all: number;
  /** Of these, the ones only this machine has. */
  readonly kept: number;
  /** How many one caller elsewhere may have. */
  readonly each: number;
}

export const PLACES: Places = { all: 1_024, kept: 64, each: 512 };

interface Member {
  readonly socket: Duplex;
  readonly caller: string;
  /** Requests that are not answered yet, and those of them whose end has not come. */
  readonly asking: Set<IncomingMessage>;
  /** It was handed over for good. */
  isTaken: boolean;
  /** Counts up: who waits longer has the smaller one. */
  since: number;
}

const HERE = "this machine";

export class Crowd {
  readonly #places: Places;
  /** By caller. */
  readonly #members = new Map<string, Set<Member>>();
  readonly #bySocket = new Map<Duplex, Member>();
  #count = 0;
  #here = 0;
  #moments = 0;

  constructor(places: Places) {
    this.#places = places;
  }

  /** Follows a server's connections. */
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

  /** @returns false where there is no place for one more of this caller. */
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

  /** The oldest that may go, of the caller that has the most connections and one such. */
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

/** Whoever has an IPv6 address has 2⁶⁴ of them. */
function callerOf({ remoteAddress = "", localAddress }: Socket): string {
  if (LOOPBACK.test(remoteAddress) || remoteAddress === localAddress) return HERE;
  if (!remoteAddress.includes(":") || remoteAddress.startsWith("::ffff:")) return remoteAddress;
  const [head = "", tail] = remoteAddress.split("::");
  const parts = [...head.split(":"), ...(tail === undefined ? [] : Array<string>(8).fill("0"))];
  return parts.slice(0, HALF_OF_IPV6).join(":");
}
