// Plugin file
// A client's hooks as one plugin file of Signalbox's that the client loads.
//
//   Owns:          its first line, which names its data folder and options; recognising Signalbox's files.
//   Does not own:  what the file does (plugin form), reading and writing it (settings-file), the programs (programs).
//
// PLUGIN-FILE-1. A plugin file is Signalbox's if its first line has Signalbox's form. Uninstalling for one data folder removes
//     only that folder's file; any other file stays unchanged.
// PLUGIN-FILE-2. The rest of the file is made from its first line alone. If that line makes another text than the file has,
//     somebody has changed the file.

import { jsonIn } from "../../machines/json.ts";
import { defined } from "../../machines/defined.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { PluginForm } from "../../runtime/install-form.ts";
import { HANDSHAKE_VERSION } from "../../runtime/line/handshake.ts";
import type { Terms } from "./settings.ts";

export interface PluginHead extends Pick<Terms, "choice" | "closed" | "workspace" | "clientName"> {
  readonly data: string;
  readonly timeoutS: number;
}

const FIRST = "// signalbox ";

/** These characters end a line in a program, and JSON does not escape them. */
const LINE_ENDS = /[\u2028\u2029]/g;
const written = (head: PluginHead): string =>
  JSON.stringify(head).replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`);

/** @returns the whole file. */
export function pluginFileText(form: PluginForm, head: PluginHead): string {
  const { data, choice, closed, timeoutS, workspace, clientName } = head;
  const within = workspace === undefined ? [] : ["--workspace", workspace];
  const whose = clientName === undefined ? [] : ["--client", clientName];
  const gateArgs = ["--timeout", String(timeoutS), "--proof", String(HANDSHAKE_VERSION), "--closed", closed];
  const text = form.text({
    hooks: `${data}/hooks`,
    gateArgs: choice === "none" ? null : [...gateArgs, ...within, ...whose],
    observeArgs: [choice, workspace ?? "-", clientName ?? ""],
    deadlineMs: timeoutS * 1_000,
  });
  return `${FIRST}${written(head)}
// Signalbox put this file in: \`npx signalbox uninstall --agent ${form.agent}\` takes it out. What is changed here does not last.
${text}`;
}

/** @param text undefined if there is no file. @returns undefined if the file is not Signalbox's. */
export function pluginHeadIn(text: string | undefined): PluginHead | undefined {
  const [line = ""] = text?.split("\n", 1) ?? [];
  if (!line.startsWith(FIRST)) return undefined;
  return headOf(jsonIn(line.slice(FIRST.length)));
}

function headOf(read: unknown): PluginHead | undefined {
  const { data, choice, closed, timeoutS, workspace, clientName } = Object(read) as Record<string, unknown>;
  const isText = (value: unknown): value is string | undefined =>
    value === undefined || typeof value === "string";
  if (typeof data !== "string" || typeof timeoutS !== "number" || !isText(workspace) || !isText(clientName))
    return undefined;
  if (choice !== "all" && choice !== "permission" && choice !== "none") return undefined;
  if (closed !== "ask" && closed !== "deny") return undefined;
  return { data, choice, closed, timeoutS, ...defined({ workspace, clientName }) };
}

/** @throws RefusedError NOT_OUR_PLUGIN for a file that is not this data folder's. */
export function checkPluginFile(path: string, text: string | undefined, data: string, agent: string): void {
  const other = pluginHeadIn(text)?.data;
  if (text === undefined || other === data) return;
  throw new RefusedError(
    "NOT_OUR_PLUGIN",
    other === undefined
      ? `The file ${path} is another plugin. Nothing was written.`
      : `${path} is the plugin of ${other}. Nothing was written.`,
    other === undefined
      ? "Move the file away, and install again."
      : `Take it out first: npx signalbox uninstall --agent ${agent} --data '${other}'`,
    "plugin",
  );
}
