// LangGraph
// A graph that stops before each of its later steps, one thread a call, on SQLite.

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { started } from "../child.js";

const SERVER = fileURLToPath(new URL("../servers/langgraph.js", import.meta.url));

export const name = "LangGraph + SQLite";

export async function start(folder) {
  const args = [SERVER, join(folder, "threads.sqlite")];
  const { pid, match, stop } = await started(process.execPath, args, { ready: /^listens at (\S+)$/m });
  return { url: match[1], pathOf: (step, id) => `/${id}/${step}`, pids: [pid], stop };
}
