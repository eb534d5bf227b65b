// Known
// Waits until the server has made a subscription.
//
//   Owns:          this waiting.
//   Does not own:  subscribing again: the NATS client does that on each connection.

import type { NatsConnection } from "nats";

/**
 * Resolves once the server has made all subscriptions, or the connection broke: the next connection makes them again. @throws the
 * client's error if the connection is closed.
 */
export async function known(connection: NatsConnection): Promise<void> {
  await connection.flush().catch((error: unknown) => {
    if (connection.isClosed()) throw error;
  });
}
