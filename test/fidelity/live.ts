// Live
// Recordings made now, with a version of the real client: its hooks, its stream and its transcripts.
//
//   Owns:          what the sessions are, the hook that writes down what it is told.
//   Does not own:  the client (support/client), what a recording proves (oracle).

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { installForm } from "../../adapters/claude-code/install.ts";
import { knownEvents } from "../../adapters/install/index.ts";
import { type Answer, byPrompt, type Model, type Scripted } from "../support/client/api.ts";
import { Claude, type Prompting, type Run, touch } from "../support/client/claude.ts";
import { fetchClient, VERSION } from "../support/client/package.ts";
import { listAt, textAt } from "../support/engine/json.ts";
import type { RecordedFile, Recording } from "../support/sessions/recording.ts";

const STEPS = "Please do the steps.";
const MORE = "Please do more.";
const ASKING = ["--permission-mode", "default"];
const NOTHING: RecordedFile = { path: "", lines: [] };

/** Denies a command that has the word, as a gate does. */
const HOOK = `#!/bin/sh
name="$1/$(date +%s%N)-$$"
cat >"$name"
grep -q '"hook_event_name":"PreToolUse"' "$name" && grep -q 'touch denied' "$name" &&
  printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"not this one"}}' |
  tee "$name.answer"
exit 0
`;

const bash = (command: string, id?: string): Scripted => ({
  name: "Bash",
  input: { command, description: `Do ${command}` },
  ...(id !== undefined && { id }),
});

/** Tells a client what to do, and waits for its end. */
type Scenario = (session: LiveSession) => Promise<void>;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "each end": async (session) => {
    await session.whole([touch("one"), bash("ls missing"), { name: "NoSuchTool", input: {} }, bash("rm it")]);
  },
  "denied by a hook": async (session) => {
    await session.whole([touch("one"), touch("denied"), touch("three")]);
  },
  "four in parallel": async (session) => {
    const file = (name: string) => ({ name: "Read", input: { file_path: join(session.project, name) } });
    writeFileSync(join(session.project, "there"), "It is there.");
    await session.whole(["there", "missing", "there", "gone"].map(file));
  },
  "a subagent": async (session) => {
    await session.whole(subagent([bash("ls", "toolu_11"), bash("ls missing", "toolu_12")]));
  },
  interrupted: async (session) => {
    const run = await session.begin([bash("touch begun && sleep 20"), bash("ls")]);
    await session.until("begun");
    run.child.kill("SIGINT");
    await run.ended;
  },
  "killed and resumed": async (session) => {
    const run = await session.begin([bash("touch begun && sleep 3"), bash("ls")]);
    await session.until("begun");
    run.child.kill("SIGKILL");
    await run.ended;
    await session.whole(byPrompt({ [MORE]: [[bash("ls", "toolu_11")]] }), {
      text: MORE,
      args: ["--resume", run.session],
    });
  },
  forked: async (session) => {
    const run = await session.whole([bash("ls"), bash("ls missing")]);
    await session.whole(byPrompt({ [MORE]: [[bash("ls", "toolu_11")]] }), {
      text: MORE,
      args: ["--resume", run.session, "--fork-session"],
    });
  },
};

/** Older clients call the tool otherwise. */
function subagent(calls: readonly Scripted[]): Model {
  return (body) => {
    const names = listAt(body, "tools").map((tool) => textAt(tool, "name"));
    const input = { description: "Look", prompt: MORE, subagent_type: "general-purpose" };
    const name = names.includes("Agent") ? "Agent" : "Task";
    const scripts: Readonly<Record<string, readonly Answer[]>> = {
      [STEPS]: [[{ name, input }]],
      [MORE]: [calls],
    };
    return byPrompt(scripts)(body);
  };
}

/** Records every session with the client that CLAUDE_CODE_VERSION names. */
export async function liveRecordings(): Promise<readonly Recording[]> {
  const program = await fetchClient();
  const recordings: Recording[] = [];
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const session = new LiveSession(program);
    try {
      await scenario(session);
      recordings.push(session.recording(name));
    } finally {
      await session.clear();
    }
  }
  return recordings;
}

interface Timed {
  readonly at: number;
  readonly value: unknown;
}

class LiveSession {
  readonly #claude: Claude;
  readonly #told: string;
  readonly #printed: Timed[] = [];

  constructor(program: string) {
    this.#claude = new Claude(program);
    this.#told = join(this.#claude.desk.dir, "told");
    mkdirSync(this.#told);
    const hook = join(this.#claude.desk.dir, "hook");
    writeFileSync(hook, HOOK, { mode: 0o700 });
    const entry = { hooks: [{ type: "command", command: `'${hook}' '${this.#told}'`, timeout: 30 }] };
    const hooks = Object.fromEntries(knownEvents(installForm, VERSION).map((event) => [event, [entry]]));
    const permissions = { allow: ["Bash", "Read"], deny: ["Bash(rm:*)"] };
    writeFileSync(join(this.#claude.config, "settings.json"), JSON.stringify({ hooks, permissions }));
  }

  get project(): string {
    return this.#claude.project;
  }

  async begin(
    script: readonly Scripted[] | Model,
    { text = STEPS, args = [] }: Prompting = {},
  ): Promise<Run> {
    const run = await this.#claude.prompt(script, { text, args: [...ASKING, ...args] });
    let rest = "";
    run.child.stdout?.on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((each) => each.startsWith("{")))
        this.#printed.push({ at: Date.now(), value: JSON.parse(line) });
    });
    return run;
  }

  async whole(script: readonly Scripted[] | Model, prompting?: Prompting): Promise<Run> {
    const run = await this.begin(script, prompting);
    await run.ended;
    return run;
  }

  async until(file: string): Promise<void> {
    while (!this.#claude.ran(file)) await sleep(50);
  }

  recording(name: string): Recording {
    const hooks = this.#hooks();
    const stream = this.#printed.filter(({ value }) => textAt(value, "session_id") !== undefined);
    const order = [
      ...hooks.map(({ at }) => ({ at, part: "hooks" as const })),
      ...stream.map(({ at }) => ({ at, part: "stream" as const })),
    ];
    return {
      name,
      hooks: fileOf("hooks.jsonl", hooks),
      stream: fileOf("stream.jsonl", stream),
      transcripts: this.#transcripts(),
      earlierTranscripts: [],
      canUseTool: NOTHING,
      mcp: NOTHING,
      httpHooks: NOTHING,
      order: order.sort((one, other) => one.at - other.at).map(({ part }) => part),
    };
  }

  clear(): Promise<void> {
    return this.#claude.clear();
  }

  #hooks(): readonly Timed[] {
    const names = readdirSync(this.#told).sort();
    const payloads = names.filter((name) => !name.endsWith(".answer"));
    return payloads.map((name) => {
      const payload: unknown = JSON.parse(readFileSync(join(this.#told, name), "utf8"));
      const answer = names.includes(`${name}.answer`)
        ? { answer: readFileSync(join(this.#told, `${name}.answer`), "utf8") }
        : {};
      const at = Number(name.split("-")[0]) / 1e6;
      return { at, value: { at_ms: at, payload, ...answer } };
    });
  }

  #transcripts(): readonly RecordedFile[] {
    const root = join(this.#claude.config, "projects");
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".jsonl"))
      .sort((one, other) => one.split("/").length - other.split("/").length || (one < other ? -1 : 1))
      .map((path) => {
        const lines = readFileSync(join(root, path), "utf8").split("\n").filter(Boolean);
        // Under the client's folder for the project.
        const within = path.split("/").slice(1).join("/");
        return fileOf(
          `transcripts/${within}`,
          lines.map((line) => ({ at: 0, value: JSON.parse(line) as unknown })),
        );
      });
  }
}

const fileOf = (path: string, lines: readonly Timed[]): RecordedFile => ({
  path,
  lines: lines.map(({ value }, n) => ({ number: n + 1, text: JSON.stringify(value), value })),
});
