// Greeting
// Who listens on a port: a NATS server names itself before it is asked.
//
//   Owns:          reading that one line.
//   Does not own:  what follows from it.

import { connect } from "node:net";
import { HOST } from "./config.ts";

const WAIT_MS = 1_000;
const LINE_MAX = 16_384;

/** @returns the name of the listening server; undefined when none answers. */
export function nameBehind(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST });
    let heard = "";
    const end = (name: string | undefined): void => {
      socket.destroy();
      resolve(name);
    };
    socket.setTimeout(WAIT_MS, () => end(undefined));
    socket.once("error", () => end(undefined));
    socket.once("close", () => end(undefined));
    socket.setEncoding("utf8").on("data", (text: string) => {
      heard += text;
      if (heard.includes("\r\n") || heard.length > LINE_MAX) end(nameIn(heard));
    });
  });
}

function nameIn(heard: string): string | undefined {
  const [, text = ""] = /^INFO (\{.*\})\s*\r\n/.exec(heard) ?? [];
  try {
    const { server_name: name }: { server_name?: unknown } = JSON.parse(text) as object;
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}
