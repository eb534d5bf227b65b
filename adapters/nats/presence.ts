// Presence
// Whether the NATS server is connected, as the connection reports it.
//
//   Owns:          following the connection's events.
//   Does not own:  reconnecting: the client does that (connect.ts).

import { Events, type NatsConnection } from "nats";

export class Presence {
  readonly #connection: NatsConnection;
  #isHere: boolean;

  /** @param onChange called each time the server goes or comes back; not when this side closes the connection. */
  constructor(connection: NatsConnection, onChange: (isHere: boolean) => void) {
    this.#connection = connection;
    this.#isHere = true;
    void this.#follow(onChange);
  }

  get isHere(): boolean {
    return this.#isHere && !this.#connection.isClosed();
  }

  async #follow(onChange: (isHere: boolean) => void): Promise<void> {
    for await (const { type } of this.#connection.status()) {
      const isHere = type === Events.Disconnect ? false : type === Events.Reconnect ? true : this.#isHere;
      if (isHere === this.#isHere || this.#connection.isClosed()) continue;
      this.#isHere = isHere;
      onChange(isHere);
    }
  }
}
