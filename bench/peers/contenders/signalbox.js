// Signalbox
// The built program on a folder of its own, with the built-in journal.

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { started } from "../child.js";

const PROGRAM = fileURLToPath(new URL("../../../dist/adapters/main.js", import.meta.url));

export const name = "Signalbox";

export async function start(folder) {
  const data = join(folder, "data");
  execFileSync(process.execPath, [PROGRAM, "token", "add", "bench", "--data", data]);
  const args = [PROGRAM, "up", "--data", data, "--port", "0", "--nats", "off", "--quota", "off", "--json"];
  const { pid, match, stop } = await started(process.execPath, args, {
    ready: /"type":"ready","url":"([^"]+)"/,
  });
  const token = readFileSync(join(data, "tokens", "bench"), "utf8").trim();
  return {
    url: match[1],
    headers: { Authorization: `Bearer ${token}` },
    pathOf: (step, id) => (step === "approved" ? `/v1/approvals/${id}/decision` : "/v1/events"),
    pids: [pid],
    stop,
  };
}
