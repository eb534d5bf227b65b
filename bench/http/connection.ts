// Connection
// A keep-alive connection that costs its process next to nothing: requests are written as text, one at a time.
//
//   Owns:          the socket; finding where an answer ends.
//   Does not own:  what is asked (load), what the answer means.
//
// It knows what the measured servers send: a Content-Length, or chunks without trailers. Anything else is an error.

import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly body: string;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

const HEAD_END = "\r\n\r\n";
const LAST_CHUNK = "0\r\n\r\n";

export class Connection {
  readonly #socket: Socket;
  readonly #head: string;
  #arrived: Buffer = Buffer.alloc(0);
  #waiting: Waiting | undefined;

  private constructor(socket: Socket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.on("data", (bytes: Buffer) => this.#take(bytes));
    socket.on("error", (error) => this.#fail(error));
    socket.on("close", () => this.#fail(new Error("The server closed the connection.")));
  }

  /** @param headers of every request. */
  static open(url: URL, headers: Readonly<Record<string, string>>): Promise<Connection> {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = `Host: ${url.host}\r\nContent-Type: application/json\r\n${lines.join("")}`;
    return new Promise((resolve, reject) => {
      const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.off("error", reject);
        resolve(new Connection(socket, head));
      });
    });
  }

  /** One at a time: the next once the one before is answered. */
  post(path: string, body: string): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      const length = Buffer.byteLength(body);
      this.#socket.write(`POST ${path} HTTP/1.1\r\n${this.#head}Content-Length: ${length}${HEAD_END}${body}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(bytes: Buffer): void {
    this.#arrived = this.#arrived.length === 0 ? bytes : Buffer.concat([this.#arrived, bytes]);
    const found = answerIn(this.#arrived);
    if (!found) return;
    this.#arrived = this.#arrived.subarray(found.end);
    this.#told()?.resolve(found.answer);
  }

  #fail(error: Error): void {
    this.#told()?.reject(error);
  }

  #told(): Waiting | undefined {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }
}

/** @returns the answer at the beginning; undefined while it is not whole. @throws Error for one of unknown length. */
function answerIn(bytes: Buffer): { readonly answer: Answer; readonly end: number } | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const from = headEnd + HEAD_END.length;
  const end = endOf(bytes, head, from);
  if (end === undefined || end > bytes.length) return undefined;
  return { answer: { status: Number(head.slice(9, 12)), body: bytes.toString("utf8", from, end) }, end };
}

function endOf(bytes: Buffer, head: string, from: number): number | undefined {
  const length = /^content-length: (\d+)$/im.exec(head)?.[1];
  if (length !== undefined) return from + Number(length);
  if (!/^transfer-encoding: chunked$/im.test(head))
    throw new Error(`An answer without a length: ${head.slice(0, 200)}`);
  const last = bytes.indexOf(LAST_CHUNK, from);
  return last < 0 ? undefined : last + LAST_CHUNK.length;
}
