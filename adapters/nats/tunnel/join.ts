// Join
// Keeps a machine connected to its team's NATS server, so that other machines of the team can reach its engine.
//
//   Owns:          the connection: making it, trying again, what a person is told while it is missing.
//   Does not own:  the connections between machines (tunnels), which machines are asked (composition/cluster/peers-side.ts).
//   Decided in:    docs/decisions/0103-a-machine-joins-by-calling-out.md.
//
// TUNNEL-JOIN-1. The engine starts and works without the team's server. While the server is missing, or refuses this machine,
//     there is a trouble.

import type { NatsConnection } from "nats";
import { isId } from "../../../machines/ids.ts";
import { RefusedError, RetryableError } from "../../../runtime/errors/errors.ts";
import type { Trouble } from "../../../runtime/errors/trouble.ts";
import type { Clock } from "../../../runtime/ports.ts";
import { pause } from "../../../runtime/wait-for.ts";
import { connectPlainly } from "../connect.ts";
import { Presence } from "../presence.ts";
import { type Dialled, Tunnels } from "./tunnels.ts";

const AGAIN_MS = 1_000;
const AGAIN_MAX_MS = 30_000;

export class Join {
  readonly #url: string;
  readonly #name: string;
  readonly #clock: Clock;
  readonly #stopping = new AbortController();
  #joined: { readonly connection: NatsConnection; readonly tunnels: Tunnels } | undefined;
  #presence: Presence | undefined;
  #missingSince: number | undefined;

  /** @param url of the team's server; its user is the machine's name. @throws RefusedError BAD_JOIN */
  constructor(url: string, clock: Clock) {
    [this.#url, this.#clock] = [url, clock];
    this.#name = userOf(url);
  }

  /** @param port at which the engine listens on this machine. */
  async start(port: number): Promise<void> {
    const { signal } = this.#stopping;
    this.#missingSince = this.#clock.now();
    for (let waitMs = AGAIN_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, AGAIN_MAX_MS)) {
      const connection = await connectPlainly(this.#url, this.#name).catch(() => undefined);
      if (connection) {
        await this.#keep(connection, port);
        return;
      }
      await pause({ clock: this.#clock, ms: waitMs }, signal);
    }
  }

  /** @throws RetryableError MACHINE_AWAY */
  dial(machine: string): Promise<Dialled> {
    if (this.#presence?.isHere === true && this.#joined) return this.#joined.tunnels.dial(machine);
    throw new RetryableError(
      "MACHINE_AWAY",
      `This engine is not connected to the team's NATS server, so it does not reach ${machine}.`,
      "See what `npx signalbox status` says about it.",
      AGAIN_MS,
    );
  }

  troubles(): readonly Trouble[] {
    if (this.#missingSince === undefined) return [];
    return [
      {
        code: "NOT_JOINED",
        message: "The team's NATS server is away, or does not let this machine in.",
        next: "The engine tries again. See whether that server runs, and what its log says about this machine's user.",
        since: this.#missingSince,
        isEssential: false,
      },
    ];
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#joined?.tunnels.close();
    await this.#joined?.connection.close();
  }

  async #keep(connection: NatsConnection, port: number): Promise<void> {
    if (this.#stopping.signal.aborted) return connection.close();
    const note = (isHere: boolean): void => {
      this.#missingSince = isHere ? undefined : (this.#missingSince ?? this.#clock.now());
    };
    note(true);
    this.#presence = new Presence(connection, note);
    const tunnels = new Tunnels(connection, this.#name, this.#clock, () => note(false));
    tunnels.listen(port);
    this.#joined = { connection, tunnels };
  }
}

function userOf(url: string): string {
  const [first = ""] = url.split(",");
  const user = URL.canParse(first) ? decodeURIComponent(new URL(first).username) : "";
  if (isId(user)) return user;
  throw new RefusedError(
    "BAD_JOIN",
    "The address of the team's NATS server names no user, or one that is no id. The user is this machine's name in the team.",
    "Write it as nats://NAME:PASSWORD@HOST:4222 (docs/how-to/inbox.md).",
    "join",
  );
}
