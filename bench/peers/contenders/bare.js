// Bare
// `node:http` that reads the same bodies, parses them and answers: keeps nothing.

import { fileURLToPath } from "node:url";
import { started } from "../child.js";

const SERVER = fileURLToPath(new URL("../servers/bare.js", import.meta.url));

export const name = "bare node:http";

export async function start() {
  const { pid, match, stop } = await started(process.execPath, [SERVER], { ready: /^listens at (\S+)$/m });
  return { url: match[1], pathOf: (step, id) => `/${id}/${step}`, pids: [pid], stop };
}
