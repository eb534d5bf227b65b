// Gates
// Calls that are asked about: the hooks of a client that is played, on payloads of real ones, or a real client.
//
//   Owns:          starting them, writing down what came out of them, striking their processes.
//   Does not own:  the answers (answers), who is right (judge).

import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { at, textAt } from "../support/engine/json.ts";
import { childrenOf } from "../support/client/claude.ts";
import { type Call, now } from "./book.ts";
import { tell, type World, WORKSPACE } from "./world.ts";

/** A played client's hook that waits. */
export interface Waiting {
  readonly call: Call;
  readonly gate: ChildProcess;
  readonly client: ChildProcess;
  readonly ended: Promise<void>;
}

const RECORDINGS = join(import.meta.dirname, "..", "recordings");

/** The payloads of real clients that asked. */
export function recordedQuestions(): readonly object[] {
  return readdirSync(RECORDINGS).flatMap((name) => {
    let text: string;
    try {
      text = readFileSync(join(RECORDINGS, name, "hooks.jsonl"), "utf8");
    } catch {
      return [];
    }
    const payloads = text
      .split("\n")
      .filter((line) => line.includes('"PermissionRequest"'))
      .map((line) => at(JSON.parse(line) as unknown, "payload"));
    return payloads.filter((each): each is object => textAt(each, "hook_event_name") === "PermissionRequest");
  });
}

/** The payload, made one of this session and call. @param command runs instead of what was recorded. */
export function questionOf(
  recorded: object,
  session: string,
  mark: string,
  command: string | undefined,
): object {
  const input = command === undefined ? (at(recorded, "tool_input") as object) : { command };
  return {
    ...recorded,
    ...(command !== undefined && { tool_name: "Bash" }),
    session_id: session,
    prompt_id: `p-${session}`,
    tool_input: { ...input, description: mark },
  };
}

/** Tells of the call as the client's other hooks do; resolves when that is in the spool. */
export function observe(world: World, payload: object, client: ChildProcess | undefined): Promise<void> {
  const child = spawn(world.hook("observe"), ["none", WORKSPACE], {
    env: envOf(client),
    stdio: ["pipe", "ignore", "ignore"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve) => child.once("close", () => resolve()));
}

/** A client that is played: a process that is there. */
export const playClient = (): ChildProcess => spawn("sleep", ["600"], { stdio: "ignore" });

/** Starts the hook that waits. */
export function ask(
  world: World,
  call: Call,
  payload: object,
  client: ChildProcess,
  timeoutS: number,
): Waiting {
  const terms = ["--timeout", String(timeoutS), "--proof", "1", "--workspace", WORKSPACE];
  const gate = spawn(world.hook("gate"), terms, {
    env: envOf(client),
    stdio: ["pipe", "pipe", "ignore"],
  });
  gate.stdin.on("error", () => undefined);
  gate.stdin.end(JSON.stringify(payload));
  let out = "";
  /** From then on the client may run the call. */
  let spokeAt: number | undefined;
  gate.stdout.setEncoding("utf8").on("data", (text: string) => {
    spokeAt ??= now();
    out += text;
  });
  const ended = new Promise<void>((resolve) =>
    gate.once("close", (code) => {
      call.endedAt = now();
      const decision =
        code === 0 && out !== ""
          ? at(JSON.parse(out) as unknown, "hookSpecificOutput", "decision")
          : undefined;
      const behaviour = textAt(decision, "behavior");
      call.said = behaviour === "allow" || behaviour === "deny" ? behaviour : "nothing";
      call.message = textAt(decision, "message");
      if (call.said === "allow" && spokeAt !== undefined)
        call.runs.push({
          at: spokeAt,
          input: (at(decision, "updatedInput") as object | undefined) ?? call.input,
        });
      resolve();
    }),
  );
  return { call, gate, client, ended };
}

/** @returns false where there was nothing to strike. */
export function killGate({ gate, call }: Waiting): boolean {
  const [node = gate.pid ?? 0] = childrenOf(gate.pid ?? 0);
  if (call.said !== undefined || !tell(node, "SIGKILL")) return false;
  return (call.isHarmed = true);
}

export function killClient({ client, call }: Waiting): boolean {
  if (call.said !== undefined || client.exitCode !== null || client.signalCode !== null) return false;
  client.kill("SIGKILL");
  return (call.isHarmed = true);
}

/** @returns the processes that stand still now. */
export const stopGate = ({ gate, call }: Waiting): readonly number[] =>
  call.said === undefined ? childrenOf(gate.pid ?? 0).filter((pid) => tell(pid, "SIGSTOP")) : [];

const envOf = (client: ChildProcess | undefined): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  ...(client?.pid !== undefined && { CLAUDE_PID: String(client.pid) }),
});
