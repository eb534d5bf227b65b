// Known
// Whether the server knows of a subscription.
//
//   Owns:          waiting for that.
//   Does not own:  subscribing again: the client does, over each connection.

import type { NatsConnection } from "nats";

/**
 * Resolves once the server knows of all that was subscribed to, or the connection broke: it is told over the next one.
 * @throws the client's error when the connection is closed.
 */
export async function known(connection: NatsConnection): Promise<void> {
  await connection.flush().catch((error: unknown) => {
    if (connection.isClosed()) throw error;
  });
}
