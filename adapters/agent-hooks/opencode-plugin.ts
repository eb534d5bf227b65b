// OpenCode plugin
// The text of the plugin file that OpenCode loads: the plugin reports a session's events, and requests approvals for calls.
//
//   Owns:          the text of the plugin file.
//   Does not own:  the programs that the plugin starts (adapters/install), the path of the plugin file (opencode).
//
// OPENCODE-PLUGIN-1. OpenCode makes a call only if the gate's program ends with 0 and answers "allow". In all other cases (no
//     program, a malformed answer, a program that was killed) the plugin throws, and the call is not made.
// OPENCODE-PLUGIN-2. The plugin's reports delay nothing and fail silently. The reports arrive in order: a prompt is reported
//     before its calls.
// OPENCODE-PLUGIN-3. The plugin file reads no environment variable, and imports nothing but Node's own modules.

import type { PluginTerms } from "../../runtime/install-form.ts";

/** `gateArgs` and `observeArgs` need no quotes, because no shell parses them. */
export function pluginText({ hooks, gateArgs, observeArgs, deadlineMs }: PluginTerms): string {
  const said = { gate: `${hooks}/gate`, gateArgs, observe: `${hooks}/observe`, observeArgs, deadlineMs };
  return `const SAID = ${JSON.stringify(said, undefined, 2)};
${SCRIPT}`;
}

const SCRIPT = `
import { spawn } from "node:child_process";

/** Runs one of Signalbox's programs. Resolves with the exit code and the output; never rejects. */
const run = (program, args, told, deadlineMs) =>
  new Promise((resolve) => {
    let out = "";
    let err = "";
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "pipe"] });
    const end = (code) => {
      clearTimeout(late);
      resolve({ code, out, err });
    };
    const late = setTimeout(() => {
      child.kill("SIGKILL");
      end(-1);
    }, deadlineMs);
    child.once("error", () => end(-1));
    child.once("close", (code) => end(code ?? -1));
    child.stdin.on("error", () => undefined);
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    child.stdin.end(JSON.stringify(told));
  });

/** Returns the input that the call may use; throws if the answer is not an allow. */
const allowed = ({ code, out, err }, input) => {
  if (code !== 0) throw new Error(err.trim() || "Signalbox gave no answer: its program is gone, or was ended.");
  const { hookSpecificOutput: said } = JSON.parse(out);
  if (said.permissionDecision === "allow") return said.updatedInput ?? input;
  throw new Error(said.permissionDecisionReason || "Denied in Signalbox.");
};

export const Signalbox = async ({ directory: cwd }) => {
  let told = Promise.resolve();
  const tell = (hook_event_name, session_id, more) => {
    const payload = { hook_event_name, session_id, cwd, ...more };
    const { observe, observeArgs } = SAID;
    told = told.then(() => run(observe, [...observeArgs, String(process.pid)], payload, 5000)).catch(() => undefined);
    return told;
  };
  const prompts = new Map();
  const about = (session) => (prompts.has(session) ? { prompt_id: prompts.get(session) } : {});
  return {
    event: async ({ event: { type, properties } }) => {
      if (type === "session.created")
        void tell("SessionStart", properties.sessionID, { source: "startup", title: properties.info?.title });
      if (type === "session.idle") void tell("Stop", properties.sessionID, about(properties.sessionID));
    },
    "chat.message": async ({ sessionID }, { message, parts }) => {
      prompts.set(sessionID, message.id);
      const prompt = parts.map((part) => (part.type === "text" ? part.text : "")).join("\\n");
      if (prompt !== "") void tell("UserPromptSubmit", sessionID, { prompt, ...about(sessionID) });
    },
    "tool.execute.before": async ({ tool, sessionID, callID }, output) => {
      // Another plugin may change the arguments while a person looks at them.
      const asked = structuredClone(output.args);
      const call = { tool_name: tool, tool_input: asked, tool_use_id: callID, ...about(sessionID) };
      if (SAID.gateArgs === null) return void tell("PreToolUse", sessionID, call);
      await told;
      const payload = { hook_event_name: "PreToolUse", session_id: sessionID, cwd, ...call };
      const args = [...SAID.gateArgs, "--pid", String(process.pid)];
      const input = allowed(await run(SAID.gate, args, payload, SAID.deadlineMs), asked);
      // OpenCode makes the call with this very object, so the plugin changes it in place.
      for (const name of Object.keys(output.args)) delete output.args[name];
      Object.assign(output.args, input);
    },
    "tool.execute.after": async ({ tool, sessionID, callID, args }, { output }) => {
      const call = { tool_name: tool, tool_input: args, tool_use_id: callID, ...about(sessionID) };
      void tell("PostToolUse", sessionID, { ...call, tool_response: output });
    },
  };
};
`;
