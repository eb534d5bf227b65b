// Tunnels
// Opens connections between the machines of a team, through a NATS server that all of them reach.
//
//   Owns:          opening connections, telling one from another, how many connections one machine accepts.
//   Does not own:  the bytes of a connection (carried), who proves what over it (line), the server's permissions (ops/nats).
//   Decided in:    docs/decisions/0103-a-machine-joins-by-calling-out.md.
//
// TUNNELS-1. A machine gets only messages that are sent to its own name, which is its user name on the server. Other machines can
//     reach no port but the engine's own.
// TUNNELS-2. At most 64 connections from other machines are open at once.
// TUNNELS-3. If the other machine is away, opening a connection fails as soon as the server says so or the caller gives up.
// TUNNELS-4. If another machine sends bytes on a connection that this machine no longer has, for example because one of the two
//     was asleep, this machine answers that the connection has ended, and the other machine closes its end. Only machines that
//     this machine has dialled get this answer.

import { randomUUID } from "node:crypto";
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import type { Msg, NatsConnection } from "nats";
import { z } from "zod";
import { isId } from "../../../machines/ids.ts";
import { jsonIn } from "../../../machines/json.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { headBytes, statusIn } from "../headers.ts";
import { Carried } from "./carried.ts";

const OPENED_MAX = 64;
/** How long a connection may be idle before it is closed. An engine sends something on an open stream more often. */
const IDLE_MS = 60_000;
const OPEN_MS = 5_000;
const LOOPBACK = "127.0.0.1";
/** The last part of the subject on which a machine gets the requests of other machines for a new connection. */
const OPEN = "open";
const NOTHING = new Uint8Array();

const opened = z.object({ end: z.string().refine(isId), port: z.int().min(1).max(65_535) });
type Opened = z.infer<typeof opened>;

export interface Dialled {
  readonly socket: Duplex;
  /** The port at which the other machine says that its engine listens. */
  readonly port: number;
}

export class Tunnels {
  readonly #connection: NatsConnection;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #ends = new Map<string, Carried>();
  readonly #awaited = new Map<string, (message: Msg) => void>();
  readonly #dialled = new Set<string>();
  readonly #onRefused: (error: Error) => void;
  /** The engine's port; undefined until other machines may connect to the engine. */
  #port: number | undefined;

  /** @param onRefused called if the server does not let this machine listen, or refuses a message because of its length. */
  constructor(connection: NatsConnection, name: string, clock: Clock, onRefused: (error: Error) => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#name = name;
    this.#onRefused = onRefused;
    connection.subscribe(subjects.machine(name), {
      callback: (error, message) => {
        if (error) onRefused(error);
        else this.#hear(message);
      },
    });
  }

  listen(port: number): void {
    this.#port = port;
  }

  /** Connects to another machine's engine. @param signal aborted when the caller gives up. @throws RetryableError MACHINE_AWAY */
  dial(machine: string, signal?: AbortSignal): Promise<Dialled> {
    if (signal?.aborted === true) return Promise.reject(away(machine));
    const end = randomUUID();
    this.#dialled.add(machine);
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        cancel();
        signal?.removeEventListener("abort", fail);
        this.#awaited.delete(end);
      };
      const fail = (): void => {
        settle();
        reject(away(machine));
      };
      const cancel = this.#clock.after(OPEN_MS, fail);
      signal?.addEventListener("abort", fail);
      this.#awaited.set(end, (message) => {
        const found = opened.safeParse(jsonIn(Buffer.from(message.data).toString()));
        if (!found.success) return fail();
        settle();
        resolve({ socket: this.#carry(end, { name: machine, end: found.data.end }), port: found.data.port });
      });
      const reply = subjects.machineEnd(this.#name, end);
      this.#connection.publish(subjects.machineEnd(machine, OPEN), NOTHING, { reply });
    });
  }

  close(): void {
    for (const end of this.#ends.values()) end.destroy();
  }

  #hear(message: Msg): void {
    const { end = "", part } = subjects.readMachineEnd(message.subject) ?? {};
    const carried = this.#ends.get(end);
    const awaited = this.#awaited.get(end);
    if (end === OPEN) this.#open(message);
    else if (part === "ack") {
      // If nobody has received this end's message, the NATS server itself answers with a code, and the connection ends.
      if (statusIn(headBytes(message))) carried?.destroy();
      else carried?.acknowledged();
    } else if (carried) carried.arrive(message.data);
    else if (awaited) awaited(message);
    else this.#tellGone(message);
  }

  /** TUNNELS-4: tells the sender that the connection has ended. A message without bytes says so itself, and is not answered. */
  #tellGone({ data, reply = "" }: Msg): void {
    const far = subjects.readMachineEnd(reply);
    if (data.length === 0 || far?.part !== "ack" || !this.#dialled.has(far.name)) return;
    this.#connection.publish(subjects.machineEnd(far.name, far.end), NOTHING);
  }

  #open({ reply = "" }: Msg): void {
    const far = subjects.readMachineEnd(reply);
    const port = this.#port;
    if (!far || far.part) return;
    if (port === undefined || this.#ends.size >= OPENED_MAX) return this.#connection.publish(reply, NOTHING);
    const end = randomUUID();
    const carried = this.#carry(end, far);
    const engine = connectTcp({ host: LOOPBACK, port });
    engine.setTimeout(IDLE_MS, () => engine.destroy());
    engine.on("error", () => undefined);
    engine.on("close", () => carried.destroy());
    carried.on("close", () => engine.destroy());
    carried.pipe(engine).pipe(carried);
    this.#connection.publish(reply, Buffer.from(JSON.stringify({ end, port } satisfies Opened)), {
      reply: subjects.machineEnd(this.#name, end, "ack"),
    });
  }

  #carry(end: string, far: { readonly name: string; readonly end: string }): Carried {
    const reply = subjects.machineEnd(this.#name, end, "ack");
    const carried = new Carried({
      send: (bytes) => {
        if (this.#connection.isClosed()) return;
        this.#checkLength(bytes, far.name);
        this.#connection.publish(subjects.machineEnd(far.name, far.end), bytes, { reply });
      },
      acknowledge: () => {
        if (!this.#connection.isClosed())
          this.#connection.publish(subjects.machineEnd(far.name, far.end, "ack"));
      },
      ended: () => this.#ends.delete(end),
      after: (ms, callback) => this.#clock.after(ms, callback),
    });
    // The other machine may cause an error before anybody listens for errors. This empty listener keeps that error from ending
    // the process.
    carried.on("error", () => undefined);
    this.#ends.set(end, carried);
    return carried;
  }

  #checkLength({ length }: Uint8Array, machine: string): void {
    const most = this.#connection.info?.max_payload ?? length;
    if (length <= most) return;
    const error = tooLarge(machine, length, most);
    this.#onRefused(error);
    throw error;
  }
}

const away = (machine: string): RetryableError =>
  new RetryableError(
    "MACHINE_AWAY",
    `The machine ${machine} is not connected to the team's NATS server.`,
    "Start that machine's engine with --join, and see what `npx signalbox status` says on that machine.",
    2_000,
  );

const tooLarge = (machine: string, length: number, most: number): RefusedError =>
  new RefusedError(
    "TOO_LARGE",
    `The team's NATS server takes messages of ${most} bytes at most, so the connection to ${machine} ended at a message of ${length} bytes.`,
    "Remove max_payload from the settings of the team's NATS server, or set it to 128KB or more.",
  );
