// Permission side
// Runs the client's permission tool as a process: its input and output, and the gate behind it.
//
//   Owns:          connecting the permission tool to the gate; a session id for calls that name no session.
//   Does not own:  the protocol (mcp), the tool (gate).

import { randomUUID } from "node:crypto";
import type { DataFolder } from "../data-folder/index.ts";
import { engineOf } from "./engine-of.ts";
import { claudeCode, PERMISSION_TOOL, permissionAnswer } from "../claude-code/index.ts";
import { askAboutCall, tellBySpool } from "../gate/index.ts";
import { serveTool } from "../mcp/index.ts";
import { version } from "../version.ts";

/** @param workspace undefined for that of each session's folder. @returns once the client has closed the connection. */
export async function servePermissionTool(
  folder: DataFolder,
  timeoutMs: number,
  workspace: string | undefined,
): Promise<void> {
  const where = engineOf(folder);
  const door = {
    via: "mcp" as const,
    form: claudeCode.gate,
    where,
    tell: tellBySpool(folder.spool, where),
    timeoutMs,
    cwd: process.cwd(),
    run: `mcp_${randomUUID()}`,
    ...(workspace !== undefined && { workspace }),
  };
  // An error of the output means that the client has ended, so this process ends, too.
  process.stdout.on("error", () => process.exit(0));
  await serveTool({
    tool: PERMISSION_TOOL,
    version,
    input: process.stdin,
    write: (line) => void process.stdout.write(`${line}\n`),
    call: (given, gone) => permissionAnswer((call) => askAboutCall(door, call), given, gone),
  });
}
