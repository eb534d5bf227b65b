// Wedge
// A proxy before a nats-server that passes on everything, everything but what goes to JetStream, or everything but what
// JetStream answers: the connection stays and pings are answered, but nothing is stored, or nobody hears of it. Or it
// passes on nothing, or tells each reader of the journal that nine more messages wait.
//
//   Owns:          reading the NATS protocol as far as needed, what is held back.
//   Does not own:  the server (server.ts), the effects.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/**
 * `deaf`: JetStream gets nothing. `mute`: it does, and all that JetStream says is lost. `cut`: there is no connection.
 * `boastful`: a message with none behind it has nine.
 */
type Wedged = "no" | "deaf" | "mute" | "cut" | "boastful";

export interface Wedge {
  readonly url: string;
  /** What is held back from now on; it is not delivered later. */
  set(wedged: Wedged): void;
  /** Messages held back so far. */
  readonly lost: number;
  close(): Promise<void>;
}

const TOLD = /^(\$JS\.|signalbox\.v1\.(in|own|state|dlq)\.)/;
const ANSWERED = /^_INBOX\./;

export async function wedge(server: { readonly port: number }): Promise<Wedge> {
  let wedged: Wedged = "no";
  let lost = 0;
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    if (wedged === "cut") {
      near.destroy();
      return;
    }
    const far = connect({ port: server.port, host: "127.0.0.1" });
    const pass = (from: Socket, to: Socket, isLost: (subject: string) => boolean): void => {
      sockets.add(from);
      const frames = new Frames((frame, subject) => {
        if (subject !== undefined && isLost(subject)) lost += 1;
        else if (!to.destroyed) to.write(wedged === "boastful" ? boasting(frame) : frame);
      });
      from.on("data", (chunk: Buffer) => frames.take(chunk));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
    };
    pass(near, far, (subject) => wedged === "deaf" && TOLD.test(subject));
    pass(far, near, (subject) => wedged === "mute" && ANSWERED.test(subject));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `nats://127.0.0.1:${port}`,
    set(next) {
      wedged = next;
      if (next === "cut") for (const socket of sockets) socket.destroy();
    },
    get lost() {
      return lost;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, "close");
    },
  };
}

/** The last token of the subject for acknowledgements says how many messages are pending. */
const boasting = (frame: Buffer): Buffer =>
  Buffer.from(frame.toString("latin1").replace(/( \$JS\.ACK\.\S+\.)0 /, "$1" + "9 "), "latin1");

const END = Buffer.from("\r\n");
/** The subject of a message, and the length of what follows its line. */
const MESSAGE = /^(?:PUB|HPUB|MSG|HMSG) (\S+) (?:.* )?(\d+)$/;

/** Bytes of one direction as whole protocol frames. */
class Frames {
  readonly #tell: (frame: Buffer, subject: string | undefined) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(tell: (frame: Buffer, subject: string | undefined) => void) {
    this.#tell = tell;
  }

  take(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    for (let frame = this.#next(); frame; frame = this.#next()) this.#tell(frame.bytes, frame.subject);
  }

  #next(): { readonly bytes: Buffer; readonly subject: string | undefined } | undefined {
    const lineEnd = this.#rest.indexOf(END);
    if (lineEnd === -1) return undefined;
    const [, subject, length] = MESSAGE.exec(this.#rest.toString("latin1", 0, lineEnd)) ?? [];
    const end = lineEnd + END.length + (length === undefined ? 0 : Number(length) + END.length);
    if (this.#rest.length < end) return undefined;
    const bytes = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    return { bytes, subject };
  }
}
