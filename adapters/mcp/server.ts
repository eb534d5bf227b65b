// MCP server
// A server of the Model Context Protocol with one tool: one JSON-RPC message per line, in and out.
//
//   Owns:          the messages, the running calls, and that each call is answered once.
//   Does not own:  what the tool does, and the streams of the process: whoever calls `serveTool` passes both.
//
// MCP-SERVER-1. If the client cancels a call, or closes its end of the connection, the call is aborted and gets no answer.
// MCP-SERVER-2. A malformed message is answered with an error. The server goes on.
// MCP-SERVER-3. If this server supports the version of the protocol that a client names, both use that version. Otherwise the
//     server names the newest version that it supports.

import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { type Fields, isFields, jsonIn } from "../../machines/json.ts";

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export interface ServedTool {
  readonly tool: Tool;
  readonly version: string;
  readonly input: Readable;
  readonly write: (line: string) => void;
  /** Runs the tool. @returns the text of the answer. @param gone aborted when nobody waits for the answer any more. */
  readonly call: (given: unknown, gone: AbortSignal) => Promise<string>;
}

type Id = string | number;

/** The newest version of the protocol that this server was tested with. */
const PROTOCOL = "2025-11-25";
/** The versions that this server supports. What this server does is the same in all of them. */
const PROTOCOLS: readonly unknown[] = [PROTOCOL, "2025-06-18", "2025-03-26", "2024-11-05"];
const [PARSE_ERROR, INVALID_REQUEST, NO_SUCH_METHOD, INVALID_PARAMS] = [-32_700, -32_600, -32_601, -32_602];

/** @returns once the client has closed the connection. */
export async function serveTool(served: ServedTool): Promise<void> {
  const server = new Server(served);
  for await (const line of createInterface({ input: served.input, crlfDelay: Infinity }))
    if (line.trim() !== "") server.take(line);
  server.end();
}

class Server {
  readonly #served: ServedTool;
  readonly #calls = new Map<Id, AbortController>();

  constructor(served: ServedTool) {
    this.#served = served;
  }

  take(line: string): void {
    const message = jsonIn(line);
    if (message === undefined) return this.#fail(null, PARSE_ERROR, "This line is not JSON.");
    if (!isFields(message) || typeof message["method"] !== "string")
      // The server sends no requests, so it ignores every answer.
      return isFields(message) && "id" in message && ("result" in message || "error" in message)
        ? undefined
        : this.#fail(null, INVALID_REQUEST, "This message is not a request.");
    const { id, method, params } = message;
    const given = isFields(params) ? params : {};
    if (typeof id === "string" || typeof id === "number") this.#request(id, method, given);
    else if (method === "notifications/cancelled") this.#cancel(given["requestId"]);
  }

  end(): void {
    for (const call of this.#calls.values()) call.abort();
    this.#calls.clear();
  }

  #request(id: Id, method: string, params: Fields): void {
    const { tool, version } = this.#served;
    switch (method) {
      case "initialize": {
        const { protocolVersion } = params;
        return this.#answer(id, {
          protocolVersion: PROTOCOLS.includes(protocolVersion) ? protocolVersion : PROTOCOL,
          capabilities: { tools: {} },
          serverInfo: { name: "signalbox", version },
        });
      }
      case "ping":
        return this.#answer(id, {});
      case "tools/list":
        return this.#answer(id, { tools: [tool] });
      case "tools/call":
        return params["name"] === tool.name
          ? void this.#call(id, params["arguments"])
          : this.#fail(id, INVALID_PARAMS, `There is no such tool; the only tool is ${tool.name}.`);
      default:
        return this.#fail(id, NO_SUCH_METHOD, `There is no method ${method.slice(0, 100)} here.`);
    }
  }

  async #call(id: Id, given: unknown): Promise<void> {
    const gone = new AbortController();
    this.#calls.get(id)?.abort();
    this.#calls.set(id, gone);
    const text = await this.#served.call(given, gone.signal).catch((error: unknown) => String(error));
    if (gone.signal.aborted) return;
    this.#calls.delete(id);
    this.#answer(id, { content: [{ type: "text", text }] });
  }

  #cancel(id: unknown): void {
    if (typeof id !== "string" && typeof id !== "number") return;
    this.#calls.get(id)?.abort();
    this.#calls.delete(id);
  }

  #answer(id: Id, result: object): void {
    this.#served.write(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }

  #fail(id: Id | null, code: number, message: string): void {
    this.#served.write(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
  }
}
