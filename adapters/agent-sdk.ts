// Agent SDK
// `signalbox/agent-sdk`: a callback with which users answer the Agent SDK's permission requests in Signalbox.
//
//   Owns:          the callback's options, and which engine the callback asks.
//   Does not own:  requesting the approval (gate), the engine.

import { randomUUID } from "node:crypto";
import { RefusedError } from "../runtime/errors/errors.ts";
import { checkOptions, type Options } from "../runtime/errors/given-options.ts";
import { dataFolder } from "./data-folder/place.ts";
import { engineOf } from "./composition/engine-of.ts";
import { type CanUseTool, canUseTool as callback } from "./claude-code/gate/can-use-tool.ts";
import { gateForm } from "./claude-code/gate/printed.ts";
import { askAboutCall, type CallDoor, type Tell, tellByLine, tellBySpool, type Where } from "./gate/index.ts";
import { withToken } from "./line/index.ts";

export { RefusedError } from "../runtime/errors/errors.ts";
export type { CanUseTool, PermissionResult, ToolUse } from "./claude-code/gate/can-use-tool.ts";

export interface CanUseToolOptions {
  /** The engine's address, which needs `token`: https, or an address of this machine. Default: the engine of `dataDir`. */
  readonly url?: string;
  /** A token of the engine, made with `npx signalbox token add NAME`. */
  readonly token?: string;
  /** The data folder of the engine on this machine. Default: the variable SIGNALBOX_DATA, or else the platform's folder. */
  readonly dataDir?: string;
  /**
   * The SDK's session id, or a function that returns it, because the SDK gives it only with the first message. Without the
   * session id, a call is found by its own id if the hooks are installed, and otherwise gets a session of its own.
   */
  readonly session?: string | (() => string | undefined);
  readonly workspace?: string;
  /** The agent's working folder. Default: this process's folder. */
  readonly cwd?: string;
  /** How long a call waits for its answer before it is denied. Default: an hour; a day at most. */
  readonly timeoutMs?: number;
}

const OPTIONS = {
  url: "text",
  token: "text",
  dataDir: "text",
  session: "anything",
  workspace: "text",
  cwd: "text",
  timeoutMs: "a number",
} as const satisfies Record<keyof CanUseToolOptions, Options[string]>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Makes the callback for the SDK's option `canUseTool`. The callback allows what was approved, with exactly the approved input.
 * It denies everything else with a reason, such as no engine within two seconds, or no answer in time. It never throws.
 * @throws RefusedError BAD_OPTION for wrong options, NEEDS_TLS for a token that others could read on the way.
 */
export function canUseTool(options: CanUseToolOptions = {}): CanUseTool {
  checkOptions("canUseTool", options, OPTIONS);
  const { session, workspace, cwd = process.cwd(), timeoutMs = HOUR_MS } = options;
  if (!(timeoutMs > 0 && timeoutMs <= DAY_MS))
    throw badOption(
      "timeoutMs",
      "timeoutMs is not from 1 ms to a day.",
      "Leave the option out for a limit of one hour.",
    );
  if (session !== undefined && typeof session !== "string" && typeof session !== "function")
    throw badOption(
      "session",
      "canUseTool takes text or a function as session.",
      "Leave the option out if its value is not known.",
    );
  const door: CallDoor = {
    via: "sdk",
    form: gateForm,
    ...engineFor(options),
    timeoutMs,
    cwd,
    run: `sdk_${randomUUID()}`,
    ...(workspace !== undefined && { workspace }),
  };
  return callback(
    (call) => askAboutCall(door, call),
    typeof session === "function" ? session : () => session,
  );
}

function engineFor({ url, token, dataDir }: CanUseToolOptions): {
  readonly where: Where;
  readonly tell: Tell;
} {
  if (url === undefined && token === undefined) {
    const folder = dataFolder(dataDir, process.env);
    const where = engineOf(folder);
    return { where, tell: tellBySpool(folder.spool, where) };
  }
  if (url === undefined || token === undefined || !/^https?:$/.test(protocolOf(url)))
    throw badOption(
      "url",
      "url is no http address, or only one of url and token is given.",
      "Give url, such as http://127.0.0.1:4280, and token; or neither, for the engine of a data folder.",
    );
  const exchange = withToken(url, token);
  const where: Where = () => Promise.resolve(exchange);
  return { where, tell: tellByLine(where) };
}

const badOption = (name: string, message: string, next: string): RefusedError =>
  new RefusedError("BAD_OPTION", message, next, name);

const protocolOf = (url: string): string => (URL.canParse(url) ? new URL(url).protocol : "");
