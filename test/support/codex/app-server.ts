// App-server
// An app-server that does what its prompt says, as a process of its own. What it hears goes into a file, line by line.
//
//   Owns:          the steps it knows.
//   Does not own:  the client (app-client.ts), what is expected.
//
// `app-server.ts LOG`: a prompt is a JSON list of steps. It does only what it was allowed to, as Codex does.

import { appendFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

export type Step =
  | { readonly do: "say"; readonly line: string }
  | { readonly do: "tell"; readonly method: string; readonly params: object }
  /** Asks, and writes the file if the answer says so. */
  | { readonly do: "ask"; readonly method?: string; readonly params?: object; readonly ran: string }
  /** Asks what is answered without a person, so many times, one after another. */
  | { readonly do: "echo"; readonly count: number }
  | { readonly do: "crash" };

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly input?: readonly { readonly text: string }[] };
  readonly result?: { readonly decision?: string; readonly success?: boolean };
}

const [log = ""] = process.argv.slice(2);
const say = (message: object): boolean => process.stdout.write(`${JSON.stringify(message)}\n`);
const ids = { threadId: "t1", turnId: "u1" };
const tell = (method: string, params: object): boolean => say({ method, params: { ...ids, ...params } });
const COMMAND = { type: "commandExecution", id: "call_1", command: "touch ran", cwd: "/home/dev/shop" };

let count = 0;
const waiting = new Map<unknown, (message: Message) => void>();
async function echo(): Promise<void> {
  const id = count++;
  say({ method: "attestation/generate", id, params: {} });
  await new Promise((resolve) => waiting.set(id, resolve));
  waiting.delete(id);
}
function request(method: string, params: object): Promise<Message> {
  const id = count++;
  say({ method, id, params: { ...ids, ...params } });
  return new Promise((resolve) =>
    waiting.set(id, (message) => {
      waiting.delete(id);
      say({ method: "serverRequest/resolved", params: { threadId: ids.threadId, requestId: id } });
      resolve(message);
    }),
  );
}

async function ask({ method, params, ran }: Extract<Step, { readonly do: "ask" }>): Promise<void> {
  const item = { ...COMMAND, status: "inProgress" };
  tell("item/started", { item });
  const { id: itemId, command, cwd } = COMMAND;
  const offered = [
    "accept",
    { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } },
    "cancel",
  ];
  const asked = { itemId, command, cwd, proposedExecpolicyAmendment: ["touch"], availableDecisions: offered };
  const { result } = await request(method ?? "item/commandExecution/requestApproval", params ?? asked);
  const isAllowed = result?.decision?.startsWith("accept") === true || result?.success === true;
  if (isAllowed) writeFileSync(ran, "ran");
  tell("item/completed", { item: { ...item, status: isAllowed ? "completed" : "declined" } });
}

async function step(each: Step): Promise<void> {
  switch (each.do) {
    case "say":
      process.stdout.write(`${each.line}\n`);
      return;
    case "tell":
      tell(each.method, each.params);
      return;
    case "ask":
      return ask(each);
    case "echo":
      for (let n = 0; n < each.count; n++) await echo();
      return;
    case "crash":
      process.kill(process.pid, "SIGKILL");
      await new Promise(() => undefined);
  }
}

const turn = (status: string): object => ({ turn: { id: ids.turnId, items: [], status, error: null } });
async function prompted(text: string): Promise<void> {
  for (const each of JSON.parse(text) as Step[]) await step(each);
  tell("turn/completed", turn("completed"));
}

for await (const line of createInterface({ input: process.stdin })) {
  appendFileSync(log, `${line}\n`);
  let message: Message;
  try {
    message = JSON.parse(line) as Message;
  } catch {
    continue;
  }
  const { id, method, params } = message;
  if (method === "initialize") say({ id, result: { userAgent: "test/1.2.3 (Debian) (test; 1)" } });
  else if (method === "thread/start")
    say({ id, result: { thread: { id: ids.threadId }, cwd: "/home/dev/shop", approvalPolicy: "untrusted" } });
  else if (method === "turn/start") {
    say({ id, result: turn("inProgress") });
    void prompted(params?.input?.map(({ text }) => text).join("") ?? "[]");
  } else if (method === "turn/interrupt") {
    tell("turn/completed", turn("interrupted"));
    for (const [asked] of waiting)
      say({ method: "serverRequest/resolved", params: { threadId: "t1", requestId: asked } });
    say({ id, result: {} });
  } else if (method === undefined) waiting.get(id)?.(message);
}
appendFileSync(log, "EOF\n");
process.exit(0);
