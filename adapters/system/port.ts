// System port
// Checks whether any program listens on a port of this machine.
//
//   Owns:          trying to connect.
//   Does not own:  finding out which program listens (listening.ts, the handshake).

import { connect } from "node:net";

const ANSWER_MS = 1_000;

/** Sends nothing. @returns false also if nobody answers in time. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((tell) => {
    const socket = connect({ host: "127.0.0.1", port });
    const end = (taken: boolean): void => {
      socket.destroy();
      tell(taken);
    };
    socket.setTimeout(ANSWER_MS, () => end(false));
    socket.once("connect", () => end(true)).once("error", () => end(false));
  });
}
