// Agent
// An agent that does what its prompt says, as a process of its own. What it hears goes into a file, line by line.
//
//   Owns:          the steps it knows.
//   Does not own:  the editor (editor.ts), what is expected.
//
// `agent.ts LOG`: a prompt is a JSON list of steps. It does only what it was allowed to, as an honest agent does.

import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

export type Step =
  | { readonly do: "say"; readonly line: string }
  | { readonly do: "update"; readonly update: object }
  /** Asks, and writes the file if it was allowed by an option of this kind. */
  | { readonly do: "ask"; readonly call: object; readonly ran: string; readonly kinds?: readonly string[] }
  /** Asks its editor to do something, and waits for that. */
  | { readonly do: "request"; readonly method: string; readonly params: object }
  | { readonly do: "stream"; readonly bytes: number; readonly each: number }
  | { readonly do: "echo"; readonly count: number }
  | { readonly do: "crash" };

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly prompt?: readonly { readonly text: string }[] };
  readonly result?: { readonly outcome?: { readonly optionId?: string } };
}

const [log = ""] = process.argv.slice(2);
const hear = (text: string): void => appendFileSync(log, `${text}\n`);
const say = (message: object): boolean =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const sessionId = "s1";
const update = (fields: object): boolean =>
  say({ method: "session/update", params: { sessionId, update: fields } });

let count = 0;
const waiting = new Map<unknown, (message: Message) => void>();
function request(method: string, params: object): Promise<Message> {
  const id = ++count;
  say({ id, method, params: { sessionId, ...params } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

const KINDS = ["allow_always", "allow_once", "reject_once"];

async function step(each: Step): Promise<void> {
  switch (each.do) {
    case "say":
      process.stdout.write(`${each.line}\n`);
      return;
    case "update":
      update(each.update);
      return;
    case "ask": {
      const { call, ran, kinds = KINDS } = each;
      const options = kinds.map((kind) => ({ optionId: `id-${kind}`, name: kind, kind }));
      const { result } = await request("session/request_permission", { toolCall: call, options });
      if (result?.outcome?.optionId?.startsWith("id-allow") !== true) return;
      writeFileSync(ran, "ran");
      return;
    }
    case "request":
      await request(each.method, each.params);
      return;
    case "stream": {
      const chunk = {
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: "x".repeat(each.each) },
      };
      const line = `${JSON.stringify({ jsonrpc: "2.0", method: "session/update", params: { sessionId, update: chunk } })}\n`;
      for (let sent = 0; sent < each.bytes; sent += line.length)
        if (!process.stdout.write(line))
          await new Promise((resolve) => process.stdout.once("drain", resolve));
      return;
    }
    case "echo":
      for (let n = 0; n < each.count; n++) await request("fs/read_text_file", { path: `/f${n}` });
      return;
    case "crash":
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => undefined);
  }
}

async function prompted(id: unknown, text: string): Promise<void> {
  for (const each of JSON.parse(text) as Step[]) await step(each);
  say({ id, result: { stopReason: "end_turn" } });
}

for await (const line of createInterface({ input: process.stdin })) {
  hear(line);
  let message: Message;
  try {
    message = JSON.parse(line) as Message;
  } catch {
    continue;
  }
  const { id, method, params } = message;
  if (method === "initialize")
    say({ id, result: { protocolVersion: 1, agentInfo: { name: "Scripted", version: "1.2.3" } } });
  else if (method === "session/new") say({ id, result: { sessionId } });
  else if (method === "session/prompt")
    void prompted(id, params?.prompt?.map(({ text }) => text).join("") ?? "[]");
  else if (method === undefined) waiting.get(id)?.(message);
}
hear("EOF");
process.exit(0);
