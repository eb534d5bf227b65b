// API
// The client's model, played: messages with the calls of a script, and an end once they have results.
//
//   Owns:          the wire of `POST /v1/messages`, what the client was told by its tools.
//   Does not own:  the client (claude.ts).

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { at, listAt, textAt } from "../engine/json.ts";

export interface Scripted {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Default: by its place in the message. */
  readonly id?: string;
  /** What the model says before it. */
  readonly said?: string;
}

/** A message with these calls (an end where there are none), or an error of the API. */
export type Answer = readonly Scripted[] | { readonly status: number };

/** What the model answers to a request. */
export type Model = (body: unknown) => Answer;

/** What a call came to, as the client tells its model. */
export interface Result {
  readonly id: string;
  readonly isError: boolean;
  readonly text: string;
}

export interface Api {
  readonly url: string;
  /** By the last request that had any. */
  results(): readonly Result[];
  close(): Promise<void>;
}

/** Of all models together: a session that another client goes on with never has two messages of one id. */
let messages = 0;

const callId = (nth: number): string => `toolu_${String(nth).padStart(2, "0")}`;

/** @param script the calls of its first message, or what it says to each request. */
export async function playApi(script: readonly Scripted[] | Model): Promise<Api> {
  const model = typeof script === "function" ? script : once(script);
  let results: readonly Result[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (request.method !== "POST" || !(request.url ?? "").startsWith("/v1/messages")) {
        response.writeHead(404).end();
        return;
      }
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const found = resultsIn(body);
      if (found.length > 0) results = found;
      const answer = listAt(body, "tools").length > 0 ? model(body) : [];
      if ("status" in answer) refuse(response, answer.status);
      else say(response, `msg_${++messages}`, textAt(body, "model") ?? "", answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    results: () => results,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const once =
  (script: readonly Scripted[]): Model =>
  (body) =>
    resultsIn(body).length === 0 && !isWarmup(body) ? script : [];

/** Older clients begin a session by waking its subagents. */
const isWarmup = (body: unknown): boolean => promptIn(listAt(body, "messages")[0]).trim() === "Warmup";

/**
 * Answers the newest prompt that has a script: its messages one after another, and then an end. Subagents, resumed
 * sessions and forks are told apart by their prompts.
 */
export function byPrompt(scripts: Readonly<Record<string, readonly Answer[]>>): Model {
  return (body) => {
    const messages = listAt(body, "messages");
    const newest = messages.findLastIndex((message) => {
      const text = promptIn(message);
      return text.includes("<task-notification>") || Object.keys(scripts).some((key) => text.includes(key));
    });
    const text = promptIn(messages[newest]);
    const key = Object.keys(scripts).find((each) => text.includes(each));
    if (key === undefined || text.includes("<task-notification>")) return [];
    const said = messages.slice(newest).filter((message) => textAt(message, "role") === "assistant").length;
    return scripts[key]?.[said] ?? [];
  };
}

function promptIn(message: unknown): string {
  if (textAt(message, "role") !== "user") return "";
  const content = at(message, "content");
  if (typeof content === "string") return content;
  return listAt(message, "content")
    .map((block) => textAt(block, "text") ?? "")
    .join("\n");
}

function resultsIn(body: unknown): readonly Result[] {
  return listAt(body, "messages")
    .flatMap((message) => {
      const content = at(message, "content");
      return Array.isArray(content) ? (content as readonly unknown[]) : [];
    })
    .filter((block) => textAt(block, "type") === "tool_result")
    .map((block) => {
      const content = at(block, "content");
      const text = typeof content === "string" ? content : JSON.stringify(content);
      return { id: textAt(block, "tool_use_id") ?? "", isError: at(block, "is_error") === true, text };
    });
}

function refuse(response: ServerResponse, status: number): void {
  const error = { type: status === 529 ? "overloaded_error" : "api_error", message: `Refused: ${status}` };
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ type: "error", error }));
}

function say(response: ServerResponse, id: string, model: string, calls: readonly Scripted[]): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const usage = { input_tokens: 10, output_tokens: 1 };
  const message = { id, type: "message", role: "assistant", model, content: [], usage };
  event("message_start", { message: { ...message, stop_reason: null, stop_sequence: null } });
  let index = 0;
  const content = (block: object, delta: object): void => {
    event("content_block_start", { index, content_block: block });
    event("content_block_delta", { index, delta });
    event("content_block_stop", { index });
    index += 1;
  };
  const text = (said: string): void =>
    content({ type: "text", text: "" }, { type: "text_delta", text: said });
  if (calls.length === 0) text("Done.");
  for (const [n, { name, input, id: given, said }] of calls.entries()) {
    if (said !== undefined) text(said);
    const block = { type: "tool_use", id: given ?? callId(n + 1), name, input: {} };
    content(block, { type: "input_json_delta", partial_json: JSON.stringify(input) });
  }
  const reason = calls.length > 0 ? "tool_use" : "end_turn";
  event("message_delta", {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 5 },
  });
  event("message_stop", {});
  response.end();
}
