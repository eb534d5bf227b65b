// Model
// A stand-in for a model's API (chat completions, responses, Gemini's): it has the agent call its tools, and then says that
// it is done.
//
//   Owns:          the part of the API that agents use; what it said before each call, and was told of it.
//   Does not own:  the agents.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { generate, type GenerateSent, resultsIn, toolsIn } from "./generate.ts";

interface Sent {
  readonly stream?: boolean;
  readonly tools?: readonly { readonly name?: string; readonly function?: { readonly name?: string } }[];
  readonly messages?: readonly {
    readonly role?: string;
    readonly tool_call_id?: string;
    readonly content?: unknown;
  }[];
  readonly input?: readonly {
    readonly type?: string;
    readonly call_id?: string;
    readonly output?: unknown;
  }[];
  /** With a schema, a review is asked for. */
  readonly text?: { readonly format?: { readonly schema?: unknown } };
}

/** What it calls: the agent's shell with a command, or a tool in the words of the responses API. */
export type Call = string | ToolCall;

export interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly arguments: object;
}

export interface Called {
  readonly call: Call;
  /** In the same message. */
  readonly said?: string;
  told?: unknown;
}

export interface Model {
  readonly url: string;
  /** The messages still to be said before it is done, each with its calls. */
  readonly steps: (readonly Call[])[];
  /** By the call's id. */
  readonly calls: Map<string, Called>;
  readonly stop: () => void;
}

const SHELLS = ["bash", "shell", "run_shell_command"];
const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** What it says where it is asked to review a call in a person's place. */
export type Review = "allow" | "deny";

export interface Wanted {
  readonly steps?: (readonly Call[])[];
  /** It says what it is about to do (responses). */
  readonly isTelling?: true;
  readonly review?: Review;
}

export async function startModel(wanted: Wanted = {}): Promise<Model> {
  const { steps = [] } = wanted;
  const calls: Model["calls"] = new Map();
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      if (request.url?.includes("GenerateContent") === true)
        return generateNext(response, JSON.parse(body) as GenerateSent, { steps, calls });
      if (request.url?.includes("/models") === true)
        return asJson(response, {
          object: "list",
          data: [{ id: "mock", object: "model", owned_by: "test" }],
        });
      const sent = JSON.parse(body || "{}") as Sent;
      const heard = { steps, calls };
      if (request.url?.includes("/responses") === true) return respond(response, sent, heard, wanted);
      answer(response, sent, heard);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}/v1`, steps, calls, stop };
}

function asJson(response: ServerResponse, body: object): void {
  response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
}

type Kept = Pick<Model, "steps" | "calls">;

/** Notes the commands of the next step, where there is a shell to call. @returns each with its id. */
function nextCalls(
  shell: string | undefined,
  { steps, calls }: Kept,
): readonly { readonly id: string; readonly given: object }[] {
  const commands = (shell === undefined ? undefined : steps.shift()) ?? [];
  return commands.map((command) => {
    const id = `call_${calls.size + 1}`;
    calls.set(id, { call: command });
    return { id, given: { command, description: "try" } };
  });
}

function generateNext(response: ServerResponse, sent: GenerateSent, model: Kept): void {
  for (const [id, told] of resultsIn(sent)) {
    const call = model.calls.get(id);
    if (call) call.told = told;
  }
  const names = toolsIn(sent);
  const shell = SHELLS.find((name) => names.includes(name));
  generate(
    response,
    nextCalls(shell, model).map(({ id, given }) => ({ id, name: shell ?? "", args: given })),
  );
}

function answer(response: ServerResponse, sent: Sent, { steps, calls }: Kept): void {
  for (const { role, tool_call_id: id = "", content } of sent.messages ?? []) {
    const call = calls.get(id);
    if (role === "tool" && call) call.told = content;
  }
  const names = (sent.tools ?? []).map((tool) => tool.function?.name);
  const shell = SHELLS.find((name) => names.includes(name));
  const said = nextCalls(shell, { steps, calls }).map(({ id, given }, index) => {
    const called = { name: shell, arguments: JSON.stringify(given) };
    return { index, id, type: "function", function: called };
  });
  const isDone = said.length === 0;
  const message = { role: "assistant", ...(isDone ? { content: "done" } : { tool_calls: said }) };
  const id = `said_${calls.size}`;
  if (sent.stream !== true)
    return asJson(response, {
      id,
      choices: [{ index: 0, message, finish_reason: isDone ? "stop" : "tool_calls" }],
      usage: USAGE,
    });
  const chunk = (delta: object, end: string | null): void => {
    const choices = [{ index: 0, delta, finish_reason: end }];
    const more = end === null ? {} : { usage: USAGE };
    const whole = { id, object: "chat.completion.chunk", created: 1, model: "mock", choices, ...more };
    response.write(`data: ${JSON.stringify(whole)}\n\n`);
  };
  response.setHeader("Content-Type", "text/event-stream");
  chunk(message, null);
  chunk({}, isDone ? "stop" : "tool_calls");
  response.end("data: [DONE]\n\n");
}

/** In the words of the responses API. */
function respond(
  response: ServerResponse,
  { input = [], tools = [], text }: Sent,
  { steps, calls }: Kept,
  { isTelling, review: outcome = "allow" }: Wanted,
): void {
  for (const { type, call_id: id = "", output } of input) {
    const call = calls.get(id);
    if (type === "function_call_output" && call) call.told = output;
  }
  const reviewed = { outcome, risk_level: "low", user_authorization: "high", rationale: "To try." };
  const isReview = text?.format?.schema !== undefined;
  const step = (isReview || tools.length === 0 ? undefined : steps.shift()) ?? [];
  const said = isTelling ? `I take step ${calls.size + 1}.` : undefined;
  const words = isReview ? JSON.stringify(reviewed) : step.length === 0 ? "done" : said;
  const id = `said_${calls.size}_${input.length}`;
  const message = { type: "message", id, role: "assistant", content: [{ type: "output_text", text: words }] };
  const items = [
    ...(words === undefined ? [] : [message]),
    ...step.map((call) => {
      const call_id = `call_${calls.size + 1}`;
      calls.set(call_id, { call, ...(said !== undefined && { said }) });
      const { arguments: given, ...named } = toolOf(call);
      return {
        type: "function_call",
        id: `f${call_id}`,
        call_id,
        ...named,
        arguments: JSON.stringify(given),
      };
    }),
  ];
  const event = (type: string, more: object): void =>
    void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`);
  response.setHeader("Content-Type", "text/event-stream");
  event("response.created", { response: { id } });
  for (const [output_index, item] of items.entries())
    event("response.output_item.done", { output_index, item });
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  event("response.completed", { response: { id, status: "completed", output: items, usage } });
  response.end();
}

const toolOf = (call: Call): ToolCall =>
  typeof call === "string" ? { name: "exec_command", arguments: { cmd: call } } : call;
