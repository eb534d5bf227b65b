// Items
// Reads Codex's reports about tool calls. Codex reports all its work as items: messages, commands, changes of files.
//
//   Owns:          the tool, the input, the output and the status of each tool call.
//   Does not own:  what is stored of a call (calls), which requests need an approval (asked).
//
// CODEX-ITEMS-1. An item counts as pending until it ends, because Codex reports it as in progress before it requests the
//     approval.
// CODEX-ITEMS-2. A command that a user runs through the client is not a call of the agent.

import { type Fields, isFields } from "../../../machines/json.ts";
import { fieldsIn, textIn, textsOf, toolOfMethod, type Update } from "../told.ts";

export const COMMAND = "commandExecution";
export const FILES = "fileChange";

/** @returns the call's update; undefined if the item is not a call. */
export function updateIn(item: Fields, hasEnded: boolean): Update | undefined {
  const call = textIn(item, "id");
  const told = toldIn(item);
  if (call === undefined || told === undefined) return undefined;
  return { call, isBegun: !hasEnded, told, status: hasEnded ? endOf(item["status"]) : "pending" };
}

function toldIn(item: Fields): Fields | undefined {
  const { type, command, cwd, changes, arguments: given } = item;
  switch (type) {
    case COMMAND:
      if (item["source"] === "userShell") return undefined;
      return { tool: COMMAND, rawInput: { command, cwd }, output: item["aggregatedOutput"] };
    case FILES:
      return { tool: FILES, rawInput: { changes } };
    case "mcpToolCall": {
      const output = fieldsIn(item, "error")["message"] ?? textsOf(fieldsIn(item, "result")["content"]);
      const tool = toolOfServer(String(item["server"]), String(item["tool"]));
      return { tool, rawInput: inputOfArguments(given), output };
    }
    case "dynamicToolCall":
      return { tool: toolOfMethod(String(item["tool"])), rawInput: inputOfArguments(given) };
    default:
      return undefined;
  }
}

const endOf = (status: unknown): Update["status"] =>
  status === "declined" || status === "failed" ? status : "completed";

/** The name that Codex and other clients give the tool of an MCP server. */
export const toolOfServer = (server: string, tool: string): string => toolOfMethod(`mcp__${server}__${tool}`);

export const inputOfArguments = (given: unknown): Fields =>
  isFields(given) ? given : given === undefined || given === null ? {} : { arguments: given };
