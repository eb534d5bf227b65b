// Other account
// A program of another account of this machine that waits for a port, and pretends to be the NATS server that had it.
//
//   Owns:          its process, under another user where the test may choose one (root), else under its own.
//   Does not own:  who is to be fooled.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface OtherAccount {
  /** Resolves once it listens. @returns the port. */
  readonly taken: Promise<number>;
  /** What it has heard: a line for each connection and for all that was sent. */
  readonly lines: readonly string[];
  end(): Promise<void>;
}

const NOBODY = 65_534;

/** Needs nothing of the project: its folder may be closed to others. Arguments: the port, the port to relay to. */
const PROGRAM = `
const { connect, createServer } = require("node:net");
const [port, real] = process.argv.slice(1).map(Number);
const say = (line) => console.log(line);
const INFO = { server_id: "I", version: "2.9.10", proto: 1, headers: true, jetstream: true, nonce: "n", max_payload: 1048576 };
const server = createServer((near) => {
  say("connection");
  near.on("error", () => near.destroy());
  near.on("data", (data) => say("heard " + JSON.stringify(data.toString("latin1"))));
  if (real > 0) {
    const far = connect(real, "127.0.0.1");
    far.on("error", () => near.destroy());
    near.pipe(far).pipe(near);
  } else {
    near.write("INFO " + JSON.stringify(INFO) + "\\r\\n");
    near.on("data", (data) => data.includes("PING") && near.write("PONG\\r\\n"));
  }
});
const take = () => server.listen(port, "127.0.0.1");
server.on("error", () => setTimeout(take, 1));
server.on("listening", () => say("taken " + server.address().port));
take();
`;

/** @param port to wait for; 0 for any. @param real where it passes everything on to. */
export function otherAccount(port: number, real = 0): OtherAccount {
  const other = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const child = spawn(process.execPath, ["-e", PROGRAM, String(port), String(real)], {
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "inherit"],
    ...other,
  });
  const lines: string[] = [];
  const taken = new Promise<number>((resolve, reject) => {
    child.once("exit", () => reject(new Error("It ended without the port.")));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [, got] = /^taken (\d+)$/.exec(line) ?? [];
      if (got === undefined) lines.push(line);
      else resolve(Number(got));
    });
  });
  taken.catch(() => undefined);
  return {
    taken,
    lines,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
