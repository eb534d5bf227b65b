// Responses
// A stand-in for the other API of models (responses, streamed): it has the agent call its shell once, and is done then.
//
//   Owns:          the part of that API which Codex uses.
//   Does not own:  the agents; the API of chats (model).

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Sent {
  readonly tools?: readonly { readonly name?: string }[];
  readonly input?: unknown;
}

const SHELLS = ["shell_command", "exec_command", "shell"];
const USAGE = {
  input_tokens: 1,
  output_tokens: 1,
  total_tokens: 2,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};

/** @param command for the agent's shell. @returns its address. */
export async function startResponses(
  command: string,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      answer(response, JSON.parse(body || "{}") as Sent, `${++count}`, command);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/v1`, stop };
}

function answer(response: ServerResponse, { tools = [], input }: Sent, id: string, command: string): void {
  const names = tools.map(({ name }) => name);
  const shell = SHELLS.find((name) => names.includes(name));
  const isDone = shell === undefined || JSON.stringify(input ?? "").includes("call_output");
  const said = {
    type: "message",
    id: `m${id}`,
    role: "assistant",
    content: [{ type: "output_text", text: "done" }],
  };
  const call = {
    type: "function_call",
    id: `f${id}`,
    call_id: `call_${id}`,
    name: shell,
    arguments: JSON.stringify(argumentsOf(shell, command)),
  };
  const item = isDone ? said : call;
  const tell = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.setHeader("Content-Type", "text/event-stream");
  tell("response.created", { response: { id: `r${id}` } });
  tell("response.output_item.added", { output_index: 0, item });
  tell("response.output_item.done", { output_index: 0, item });
  const whole = { id: `r${id}`, status: "completed", output: [item], usage: USAGE };
  tell("response.completed", { response: whole });
  response.end();
}

function argumentsOf(shell: string | undefined, command: string): object {
  if (shell === "exec_command") return { cmd: command };
  return shell === "shell" ? { command: ["sh", "-c", command] } : { command };
}
