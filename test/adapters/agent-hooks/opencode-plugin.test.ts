// OpenCode plugin
// The file as it is put in, loaded as a module, with programs in the place of the gate's and the observer's that behave or not.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openCode } from "../../../adapters/agent-hooks/opencode.ts";
import { pluginFileText } from "../../../adapters/install/index.ts";
import type { GateChoice } from "../../../runtime/install-form.ts";

type Handler = (input: object, output?: object) => Promise<void>;
type Plugin = Readonly<
  Record<"event" | "chat.message" | "tool.execute.before" | "tool.execute.after", Handler>
>;

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "signalbox's-"));
  mkdirSync(join(data, "hooks"));
  mkdirSync(join(data, "told"));
  program("observe", 'echo "$@" > args; cat > arriving; mv arriving "told/$(ls told | wc -l)"');
});
afterEach(() => rmSync(data, { recursive: true }));

function program(name: "gate" | "observe", script: string): void {
  writeFileSync(join(data, "hooks", name), `#!/bin/sh\ncd "\${0%/*}/.."\n${script}\n`);
  chmodSync(join(data, "hooks", name), 0o700);
}

async function plugin(choice: GateChoice = "all", timeoutS = 60): Promise<Plugin> {
  const file = join(data, `plugin-${choice}-${timeoutS}.mjs`);
  const clientName = openCode.name;
  writeFileSync(
    file,
    pluginFileText(openCode.plugin, { data, choice, closed: "deny", timeoutS, clientName }),
  );
  const { Signalbox } = (await import(pathToFileURL(file).href)) as {
    readonly Signalbox: (context: object) => Promise<Plugin>;
  };
  return Signalbox({ directory: "/home/dev/shop" });
}

const CALL = { tool: "bash", sessionID: "ses_1", callID: "call_1" };
const before = async (
  loaded: Plugin,
  args: object = { command: "ls", description: "try" },
): Promise<object> => {
  await loaded["tool.execute.before"](CALL, { args });
  return args;
};
const answer = (said: object): string =>
  `cat > /dev/null; echo '${JSON.stringify({ hookSpecificOutput: said })}'`;

async function told(count: number): Promise<readonly unknown[]> {
  await expect.poll(() => readdirSync(join(data, "told")).length).toBe(count);
  return Array.from({ length: count }, (_, n): unknown =>
    JSON.parse(readFileSync(join(data, "told", `${n}`), "utf8")),
  );
}

describe("OPENCODE-PLUGIN-1: a call", () => {
  it("OPENCODE-PLUGIN-1: is made where the gate allows, with the very input", async () => {
    program("gate", `cat > asked; echo "$@" > args; ${answer({ permissionDecision: "allow" })}`);
    expect(await before(await plugin())).toEqual({ command: "ls", description: "try" });
    expect(JSON.parse(readFileSync(join(data, "asked"), "utf8"))).toEqual({
      ...{ hook_event_name: "PreToolUse", session_id: "ses_1", cwd: "/home/dev/shop" },
      ...{ tool_name: "bash", tool_use_id: "call_1", tool_input: { command: "ls", description: "try" } },
    });
    expect(readFileSync(join(data, "args"), "utf8")).toBe(
      `--timeout 60 --proof 1 --closed deny --client opencode-cli --pid ${process.pid}\n`,
    );
  });

  it("OPENCODE-PLUGIN-1: is made with the edited input and nothing of the old one, in the same object", async () => {
    program("gate", answer({ permissionDecision: "allow", updatedInput: { command: "true" } }));
    expect(await before(await plugin())).toEqual({ command: "true" });
  });

  it("OPENCODE-PLUGIN-1: is made with the input that was asked about, even if another plugin changes the input meanwhile", async () => {
    program("gate", `sleep 0.2; ${answer({ permissionDecision: "allow" })}`);
    const args = { command: "ls" };
    const made = before(await plugin(), args);
    await expect.poll(() => (args.command = "rm -rf ~")).toBe("rm -rf ~");
    expect(await made).toEqual({ command: "ls" });
  });

  it.each([
    ["denies", answer({ permissionDecision: "deny", permissionDecisionReason: "not today" }), "not today"],
    ["asks", answer({ permissionDecision: "ask" }), "Denied"],
    ["says nothing of it", answer({}), "Denied"],
    ["prints nothing", "cat > /dev/null", /./],
    ["prints nonsense", "echo '{\"hook'", /./],
    ["prints null", "echo null", /./],
    ["prints an allow twice", `${answer({ permissionDecision: "allow" })}; echo '{}'`, /./],
    ["ends with 2", "echo too late >&2; exit 2", "too late"],
    ["allows and ends with 1", `${answer({ permissionDecision: "allow" })}; exit 1`, "no answer"],
    ["is killed", "kill -KILL $$", "no answer"],
  ])("OPENCODE-PLUGIN-1: is not made where the gate %s", async (_, script, why) => {
    program("gate", script);
    await expect(before(await plugin())).rejects.toThrow(why);
  });

  it("OPENCODE-PLUGIN-1: is not made where the gate's program is gone, cannot run, or stands still", async () => {
    await expect(before(await plugin())).rejects.toThrow("no answer");
    writeFileSync(join(data, "hooks", "gate"), "x", { mode: 0o600 });
    await expect(before(await plugin())).rejects.toThrow("no answer");
    program("gate", "exec sleep 600");
    await expect(before(await plugin("all", 1))).rejects.toThrow("no answer");
  });

  it("OPENCODE-PLUGIN-1: of a plugin that only watches is made, and told", async () => {
    await before(await plugin("none"));
    expect(await told(1)).toMatchObject([{ hook_event_name: "PreToolUse", tool_use_id: "call_1" }]);
    expect(readFileSync(join(data, "args"), "utf8")).toBe(`none - opencode-cli ${process.pid}\n`);
  });
});

describe("OPENCODE-PLUGIN-2: what is told", () => {
  it("OPENCODE-PLUGIN-2: comes in its order, with the prompt it belongs to", async () => {
    program("gate", answer({ permissionDecision: "allow" }));
    const loaded = await plugin();
    const { event } = loaded;
    await event({
      event: { type: "session.created", properties: { sessionID: "ses_1", info: { title: "New" } } },
    });
    await loaded["chat.message"](
      { sessionID: "ses_1" },
      { message: { id: "msg_1" }, parts: [{ type: "text", text: "go" }] },
    );
    await before(loaded);
    await loaded["tool.execute.after"]({ ...CALL, args: { command: "ls" } }, { output: "hi" });
    await event({ event: { type: "message.updated", properties: {} } });
    await event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
    expect(await told(4)).toMatchObject([
      { hook_event_name: "SessionStart", session_id: "ses_1", title: "New" },
      { hook_event_name: "UserPromptSubmit", prompt: "go", prompt_id: "msg_1" },
      { hook_event_name: "PostToolUse", tool_response: "hi", prompt_id: "msg_1", tool_use_id: "call_1" },
      { hook_event_name: "Stop", prompt_id: "msg_1" },
    ]);
  });

  it("OPENCODE-PLUGIN-2: holds nobody up where the observer is gone or breaks", async () => {
    program("gate", answer({ permissionDecision: "allow" }));
    for (const spoil of [() => program("observe", "exit 1"), () => rmSync(join(data, "hooks", "observe"))]) {
      spoil();
      const loaded = await plugin();
      await loaded.event({ event: { type: "session.idle", properties: { sessionID: "ses_1" } } });
      expect(await before(loaded)).toEqual({ command: "ls", description: "try" });
    }
  });
});

describe("OPENCODE-PLUGIN-3: the file itself", () => {
  it("OPENCODE-PLUGIN-3: asks no variable, and imports Node's own modules alone", () => {
    const head = { data, choice: "all", closed: "deny", timeoutS: 60 } as const;
    const text = pluginFileText(openCode.plugin, head);
    expect([...text.matchAll(/\bimport\b.*from "(.*)"/g)].map(([, from]) => from)).toEqual([
      "node:child_process",
    ]);
    expect(text).not.toMatch(/process\.env|Bun\.|require\(|import\(/);
  });
});
