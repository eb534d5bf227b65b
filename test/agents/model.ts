// Model
// A stand-in for a model's API (chat completions, responses): it has the agent call its shell once, and then is done.
//
//   Owns:          the part of the API that agents use.
//   Does not own:  the agents.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface Sent {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name?: string } }[];
  readonly messages?: readonly { readonly role?: string }[];
  readonly input?: readonly { readonly type?: string }[];
  /** With a schema, a review is asked for. */
  readonly text?: { readonly format?: { readonly schema?: unknown } };
}

const SHELLS = ["bash", "shell", "run_shell_command"];
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** What it says where it is asked to review a call in a person's place. */
export type Review = "allow" | "deny";

/** In the words of the responses API. */
export interface Call {
  readonly name: string;
  readonly namespace?: string;
  readonly arguments: object;
}

export interface Wanted {
  /** For the agent's shell. */
  readonly command: string;
  /** One after another, in place of the shell. */
  readonly calls?: readonly Call[];
  readonly review?: Review;
}

/** @returns its address. */
export async function startModel(
  wanted: Wanted,
): Promise<{ readonly url: string; readonly stop: () => void }> {
  let count = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      if (request.url?.includes("/models") === true)
        return asJson(response, {
          object: "list",
          data: [{ id: "mock", object: "model", owned_by: "test" }],
        });
      const sent = JSON.parse(body || "{}") as Sent;
      const reply = request.url?.includes("/responses") === true ? respond : answer;
      reply(response, sent, `${++count}`, wanted);
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

function asJson(response: ServerResponse, body: object): void {
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
}

function answer(response: ServerResponse, sent: Sent, id: string, { command }: Wanted): void {
  const names = (sent.tools ?? []).map((tool) => tool.function?.name);
  const shell = SHELLS.find((name) => names.includes(name));
  const isDone = shell === undefined || (sent.messages ?? []).some(({ role }) => role === "tool");
  const said = { role: "assistant", content: "done" };
  const call = {
    index: 0,
    id: `call_${id}`,
    type: "function",
    function: { name: shell, arguments: JSON.stringify({ command, description: "try" }) },
  };
  if (sent.stream !== true)
    return asJson(response, {
      id,
      choices: [{ index: 0, message: said, finish_reason: "stop" }],
      usage: USAGE,
    });
  const chunk = (delta: object, end: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: end }];
    const more = end === null ? {} : { usage: USAGE };
    const whole = { id, object: "chat.completion.chunk", created: 1, model: "mock", choices, ...more };
    response.write(`data: ${JSON.stringify(whole)}\n\n`);
  };
  response.setHeader("Content-Type", "text/event-stream");
  chunk(isDone ? said : { role: "assistant", tool_calls: [call] }, null);
  chunk({}, isDone ? "stop" : "tool_calls");
  response.end("data: [DONE]\n\n");
}

/** In the words of the responses API. */
function respond(
  response: ServerResponse,
  { input = [], tools = [], text }: Sent,
  id: string,
  { calls = [], review: outcome = "allow" }: Wanted,
): void {
  const reviewed = { outcome, risk_level: "low", user_authorization: "high", rationale: "To try." };
  const isReview = text?.format?.schema !== undefined;
  const words = isReview ? JSON.stringify(reviewed) : "done";
  const done = input.filter(({ type }) => type === "function_call_output").length;
  const call = isReview || tools.length === 0 ? undefined : calls[done];
  const item = call
    ? { type: "function_call", id, call_id: `call_${id}`, ...call, arguments: JSON.stringify(call.arguments) }
    : { type: "message", id, role: "assistant", content: [{ type: "output_text", text: words }] };
  const event = (type: string, more: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  response.setHeader("Content-Type", "text/event-stream");
  event("response.created", { response: { id } });
  event("response.output_item.done", { output_index: 0, item });
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  event("response.completed", { response: { id, status: "completed", output: [item], usage } });
  response.end();
}
