// Tool server
// A server of the Model Context Protocol with one tool: it writes a file, and says so that it is not to be called unasked.
//
//   Owns:          the tool.
//   Does not own:  who calls it, what is expected.

import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** What the tool is called with. */
export interface Given {
  readonly path: string;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly protocolVersion?: string; readonly arguments?: Given };
}

const TOOL = {
  name: "write",
  description: "Writes a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
  annotations: { readOnlyHint: false, destructiveHint: true },
};

function resultOf({ method, params }: Message): object {
  switch (method ?? "") {
    case "initialize":
      return {
        protocolVersion: params?.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "files", version: "1" },
      };
    case "tools/list":
      return { tools: [TOOL] };
    case "tools/call":
      writeFileSync(params?.arguments?.path ?? "", "ran");
      return { content: [{ type: "text", text: "written" }] };
    default:
      return {};
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as Message;
  if (message.id === undefined) continue;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id: message.id, result: resultOf(message) })}\n`);
}
