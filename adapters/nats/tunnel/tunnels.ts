// Tunnels
// Connections between the machines of a team, through a NATS server that all of them reach.
//
//   Owns:          opening connections, telling them apart, how many connections one machine accepts.
//   Does not own:  the bytes of one connection (carried), who proves what over it (line), the server's permissions (ops/nats).
//   Decided in:    docs/decisions/0103-a-machine-joins-by-calling-out.md.
//
// TUNNELS-1. A machine hears only what is sent to its own name, which is its user on the server. Nothing that others send there
//     opens a connection to another port than the engine's own.
// TUNNELS-2. At most 64 connections from other machines are open at once.
// TUNNELS-3. Without the other machine, opening fails as soon as the server says so.

import { randomUUID } from "node:crypto";
import { connect as connectTcp } from "node:net";
import type { Duplex } from "node:stream";
import type { Msg, NatsConnection } from "nats";
import { z } from "zod";
import { isId } from "../../../machines/ids.ts";
import { jsonIn } from "../../../machines/json.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { subjects } from "../../../runtime/rows/subjects.ts";
import { Carried } from "./carried.ts";

const OPENED_MAX = 64;
/** An idle connection is closed after this time. An engine sends something on an open stream more often than that. */
const IDLE_MS = 60_000;
const OPEN_MS = 5_000;
const LOOPBACK = "127.0.0.1";
/** The name of the end at which a machine gets requests for a connection. */
const OPEN = "open";
const NOTHING = new Uint8Array();

const opened = z.object({ end: z.string().refine(isId), port: z.int().min(1).max(65_535) });
type Opened = z.infer<typeof opened>;

export interface Dialled {
  readonly socket: Duplex;
  /** The port at which the engine listens on its machine, as that machine says. */
  readonly port: number;
}

export class Tunnels {
  readonly #connection: NatsConnection;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #ends = new Map<string, Carried>();
  readonly #awaited = new Map<string, (message: Msg) => void>();
  /** The engine's port, once others may connect to it. */
  #port: number | undefined;

  /** @param name of this machine, its user on the server. @param onRefused if the server does not let it listen. */
  constructor(connection: NatsConnection, name: string, clock: Clock, onRefused: () => void) {
    this.#connection = connection;
    this.#clock = clock;
    this.#name = name;
    connection.subscribe(subjects.machine(name), {
      callback: (error, message) => {
        if (error) onRefused();
        else this.#hear(message);
      },
    });
  }

  /** From now on others may connect to this port of the machine. */
  listen(port: number): void {
    this.#port = port;
  }

  /** Opens a connection to the engine of another machine. @throws RetryableError MACHINE_AWAY */
  dial(machine: string): Promise<Dialled> {
    const end = randomUUID();
    return new Promise((resolve, reject) => {
      const fail = (): void => {
        this.#awaited.delete(end);
        reject(away(machine));
      };
      const cancel = this.#clock.after(OPEN_MS, fail);
      this.#awaited.set(end, (message) => {
        cancel();
        const found = opened.safeParse(jsonIn(Buffer.from(message.data).toString()));
        if (!found.success) return fail();
        this.#awaited.delete(end);
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
    if (end === OPEN) this.#open(message);
    else if (part === "ack") {
      // The server itself answers if nobody has heard the message.
      if (message.headers?.code) carried?.destroy();
      else carried?.acknowledged();
    } else if (carried) carried.arrive(message.data);
    else this.#awaited.get(end)?.(message);
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
    carried.on("error", () => undefined);
    carried.on("close", () => engine.destroy());
    carried.pipe(engine).pipe(carried);
    this.#connection.publish(reply, Buffer.from(JSON.stringify({ end, port } satisfies Opened)));
  }

  #carry(end: string, far: { readonly name: string; readonly end: string }): Carried {
    const reply = subjects.machineEnd(this.#name, end, "ack");
    const carried = new Carried({
      send: (bytes) => {
        if (!this.#connection.isClosed())
          this.#connection.publish(subjects.machineEnd(far.name, far.end), bytes, { reply });
      },
      acknowledge: () => {
        if (!this.#connection.isClosed())
          this.#connection.publish(subjects.machineEnd(far.name, far.end, "ack"));
      },
      ended: () => this.#ends.delete(end),
      after: (ms, callback) => this.#clock.after(ms, callback),
    });
    this.#ends.set(end, carried);
    return carried;
  }
}

const away = (machine: string): RetryableError =>
  new RetryableError(
    "MACHINE_AWAY",
    `The machine ${machine} is not connected to the team's NATS server.`,
    "Start its engine with --join, and see there what `npx signalbox status` says.",
    2_000,
  );
