// Played
// A proxy without processes: what each side is told, and what is asked, stands ready to be looked at and answered.
//
//   Owns:          the parts it is given.
//   Does not own:  the proxy.

import { acpProtocol } from "../../../adapters/agent-proxy/acp/protocol.ts";
import type { Protocol } from "../../../adapters/agent-proxy/protocol.ts";
import { Proxy } from "../../../adapters/agent-proxy/proxy.ts";
import type { Ending } from "../../../adapters/agent-proxy/gates.ts";
import type { Note, PermissionNote } from "../../../adapters/agent-proxy/notes.ts";

export interface AskedHere {
  readonly note: PermissionNote;
  readonly inputHash: string;
  /** What was said in the client: `approve`, `deny`, `deny!` with an interrupt. */
  readonly decisions: string[];
  isTaken: boolean;
  isLeft: boolean;
  end: (ending: Ending) => void;
}

export function played(timeoutMs = 60_000, protocol: Protocol = acpProtocol) {
  const [agent, client, asked, notes, said]: [Buffer[], Buffer[], AskedHere[], Note[], string[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const proxy = new Proxy({
    protocol,
    toAgent: (bytes) => void agent.push(Buffer.from(bytes)),
    toClient: (bytes) => void client.push(Buffer.from(bytes)),
    say: (text) => void said.push(text),
    tell: (note) => void notes.push(note),
    ask(note, inputHash) {
      let end: AskedHere["end"] = () => undefined;
      const ended = new Promise<Ending>((resolve) => (end = resolve));
      const here: AskedHere = { note, inputHash, decisions: [], isTaken: false, isLeft: false, end };
      asked.push(here);
      return {
        end: ended,
        decide(decision, interrupt) {
          here.decisions.push(interrupt ? `${decision}!` : decision);
          return Promise.resolve();
        },
        taken: () => void (here.isTaken = true),
        leave() {
          here.isLeft = true;
          return Promise.resolve();
        },
      };
    },
    name: "agent",
    run: "r",
    secret: "secret",
    timeoutMs,
  });
  const parsed = (buffers: readonly Buffer[]): readonly unknown[] =>
    Buffer.concat(buffers)
      .toString()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as unknown);
  const line = (message: object): Buffer =>
    Buffer.from(`${JSON.stringify({ ...protocol.envelope, ...message })}\n`);
  return {
    proxy,
    asked,
    notes,
    said,
    toClient: () => Buffer.concat(client),
    agentHeard: () => parsed(agent),
    clientHeard: () => parsed(client),
    agent: (message: object) => proxy.agentSaid(line(message)),
    client: (message: object) => proxy.clientSaid(line(message)),
  };
}

/** What was said and answered within this turn is passed on after it. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
