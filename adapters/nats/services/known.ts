// Known
// Waits until the server knows a subscription.
//
//   Owns:          that wait.
//   Does not own:  subscribing again: the client does so on each connection.

import type { NatsConnection } from "nats";

/**
 * Resolves once the server knows all our subscriptions, or the connection broke: the next one tells the server.
 * @throws the client's error when the connection is closed.
 */
export async function known(connection: NatsConnection): Promise<void> {
  await connection.flush().catch((error: unknown) => {
    if (connection.isClosed()) throw error;
  });
}
