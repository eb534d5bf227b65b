// Played
// A proxy without processes: what each side is told, and what is asked, stands ready to be looked at and answered.
//
//   Owns:          the parts it is given.
//   Does not own:  the proxy.

import { Proxy } from "../../../adapters/acp/proxy.ts";
import type { Ending } from "../../../adapters/acp/gates.ts";
import type { Note, PermissionNote } from "../../../adapters/acp/notes.ts";

export interface AskedHere {
  readonly note: PermissionNote;
  readonly inputHash: string;
  /** What was said in the editor: `approve`, `deny`, `deny!` with an interrupt. */
  readonly decisions: string[];
  isTaken: boolean;
  isLeft: boolean;
  end: (ending: Ending) => void;
}

export function played(timeoutMs = 60_000) {
  const [agent, editor, asked, notes, said]: [Buffer[], Buffer[], AskedHere[], Note[], string[]] = [
    [],
    [],
    [],
    [],
    [],
  ];
  const proxy = new Proxy({
    toAgent: (bytes) => void agent.push(Buffer.from(bytes)),
    toEditor: (bytes) => void editor.push(Buffer.from(bytes)),
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
    Buffer.from(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  return {
    proxy,
    asked,
    notes,
    said,
    toEditor: () => Buffer.concat(editor),
    agentHeard: () => parsed(agent),
    editorHeard: () => parsed(editor),
    agent: (message: object) => proxy.agentSaid(line(message)),
    editor: (message: object) => proxy.editorSaid(line(message)),
  };
}

/** What was said and answered within this turn is passed on after it. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
