// Plugin file
// A client's hooks in one plugin file, which Signalbox writes and the client loads.
//
//   Owns:          the plugin file's first line, which names the data folder and the options; recognising Signalbox's files.
//   Does not own:  what the plugin file does (agent-hooks), reading and writing it (settings-file), the programs (programs).
//
// PLUGIN-FILE-1. A plugin file is Signalbox's if its first line is one that Signalbox writes. Uninstalling for one data folder
//     removes only the file that names this folder; any other file stays unchanged.
// PLUGIN-FILE-2. Signalbox makes the rest of a plugin file from the file's first line alone. So if the rest differs, somebody has
//     changed the file.

import { z } from "zod";
import { jsonIn } from "../../machines/json.ts";
import { RefusedError } from "../../runtime/errors/errors.ts";
import type { PluginForm } from "../../runtime/install-form.ts";
import { HANDSHAKE_VERSION } from "../../runtime/line/handshake.ts";
import { pasted } from "../../runtime/text/quoted.ts";
import { oneLine } from "../../runtime/text/visible.ts";

const pluginHead = z.object({
  data: z.string(),
  choice: z.enum(["all", "permission", "none"]),
  closed: z.enum(["ask", "deny"]),
  timeoutS: z.number(),
  workspace: z.string().exactOptional(),
  clientName: z.string().exactOptional(),
});
type PluginHead = z.output<typeof pluginHead>;

const FIRST = "// signalbox ";

/** Characters that end a line in a program, but that JSON does not escape. */
const LINE_ENDS = /[\u2028\u2029]/g;
const written = (head: PluginHead): string =>
  JSON.stringify(head).replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16)}`);

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

/** @returns the plugin file's head; undefined if the file is missing or not Signalbox's. */
export function pluginHeadIn(text: string | undefined): PluginHead | undefined {
  const [line = ""] = text?.split("\n", 1) ?? [];
  if (!line.startsWith(FIRST)) return undefined;
  return pluginHead.safeParse(jsonIn(line.slice(FIRST.length))).data;
}

/** @throws RefusedError NOT_OUR_PLUGIN if the file does not belong to this data folder. */
export function checkPluginFile(path: string, text: string | undefined, data: string, agent: string): void {
  const other = pluginHeadIn(text)?.data;
  if (text === undefined || other === data) return;
  throw new RefusedError(
    "NOT_OUR_PLUGIN",
    other === undefined
      ? `The file ${path} is not Signalbox's plugin. Nothing was written.`
      : `${path} is the plugin for the data folder ${oneLine(other)}. Nothing was written.`,
    other === undefined
      ? "Move the file away, and install again."
      : `Take it out first: npx signalbox uninstall --agent ${agent} --data ${pasted(other)}`,
    "plugin",
  );
}
