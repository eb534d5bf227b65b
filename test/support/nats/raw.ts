// Raw
// A NATS client that sends headers as they are written, also those that the NATS client of the engine would not send.
//
//   Owns:          the lines of the protocol, hostile headers.
//   Does not own:  what follows from a message.

import { connect } from "node:net";

const NAMES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const nameOf = (n: number): string =>
  (n < NAMES.length ? "" : nameOf(Math.floor(n / NAMES.length) - 1)) + NAMES.charAt(n % NAMES.length);

/** Headers with many short names, between lines that mean something. */
export const manyNames = (count: number, ...lines: readonly string[]): Buffer =>
  headOf(...Array.from({ length: count }, (_, n) => `${nameOf(n)}:`), ...lines);

export const headOf = (...lines: readonly string[]): Buffer =>
  Buffer.from(["NATS/1.0", ...lines, "", ""].join("\r\n"));

/** @param port the server's. */
export async function rawClient(port: number) {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  const heardOf = new Set<() => void>();
  socket.on("data", (bytes) => {
    heard += bytes.toString();
    for (const each of heardOf) each();
  });
  const until = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const [found] = pattern.exec(heard) ?? [];
        if (found === undefined) return;
        heardOf.delete(look);
        resolve(found);
      };
      heardOf.add(look);
      look();
    });
  socket.write('CONNECT {"headers":true,"verbose":false,"protocol":1}\r\nSUB _INBOX.raw 1\r\nPING\r\n');
  await until(/PONG/);
  return {
    until,
    /** Sends a message, whose answer comes to the client's inbox. Returns once the server has it. */
    async send(subject: string, head: Buffer, body = ""): Promise<void> {
      heard = "";
      const size = head.length + Buffer.byteLength(body);
      socket.write(`HPUB ${subject} _INBOX.raw ${head.length} ${size}\r\n`);
      socket.write(head);
      socket.write(`${body}\r\nPING\r\n`);
      await until(/PONG/);
    },
    close: () => socket.destroy(),
  };
}
