// Permission side
// The client's permission tool as a process: its input and output, and the gate behind it.
//
//   Owns:          joining them, and what this process knows of the client.
//   Does not own:  the protocol (mcp), the tool (gate).

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { engineOf } from "./engine-of.ts";
import { PERMISSION_TOOL, permissionAnswer, TellingBySpool } from "./gate/index.ts";
import { serveTool } from "./mcp/index.ts";
import { version } from "./version.ts";

/** @param data the engine's data folder. @returns once the client has closed its end. */
export async function servePermissionTool(data: string, timeoutMs: number): Promise<void> {
  const workspace = process.env["SIGNALBOX_WORKSPACE"];
  const where = engineOf(data);
  const door = {
    via: "mcp" as const,
    where,
    telling: new TellingBySpool(join(data, "spool"), where),
    timeoutMs,
    cwd: process.cwd(),
    run: `mcp_${randomUUID()}`,
    ...(workspace !== undefined && workspace !== "" && { workspace }),
  };
  // A client that is gone reads no more; its end of the input says so, too.
  process.stdout.on("error", () => process.exit(0));
  await serveTool({
    tool: PERMISSION_TOOL,
    version,
    input: process.stdin,
    write: (line) => void process.stdout.write(`${line}\n`),
    call: (given, gone) => permissionAnswer(door, given, gone),
  });
}
