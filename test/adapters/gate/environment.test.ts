// The hooks and their environment
// A project may set any variable that docs/reference/configuration.md lists. The installed programs still ask the same engine,
// under the same workspace, and give the same answers of their own.

import { test as property, fc } from "@fast-check/vitest";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listedVariables } from "../../support/docs/variables.ts";
import { textAt, at } from "../../support/engine/json.ts";
import { build, Desk, jsonLines } from "../../support/processes/program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
/** Each run starts three processes, one of them Node. */
const RUNS = { numRuns: 12 };
const TIMEOUT_MS = 300_000;

const desk = new Desk();
/** An engine that allows everything: that of whoever sets the variables. */
const theirs = new Desk();
const traps = join(theirs.dir, "traps");
let denial = "";
/** Of a person there. */
let token = "";
const started: ChildProcess[] = [];

beforeAll(async () => {
  await build();
  await Promise.all([desk.up(), theirs.up()]);
  for (const at of [data(), alone()]) expect((await desk.run(["install", "--data", at])).code).toBe(0);
  const rule = (of: Desk, ...words: string[]) => of.run(["rules", "add", ...words, "--json"]);
  const denied = await rule(desk, "deny", "Bash", "--prefix", "touch", "--workspace", "mine");
  denial = textAt(jsonLines(denied.out)[0], "id") ?? "";
  for (const of of [desk, theirs])
    expect((await rule(of, "allow", "Bash", "--prefix", "touch", "--workspace", "theirs")).err).toBe("");
  expect((await rule(theirs, "allow", "Bash", "--prefix", "touch", "--workspace", "mine")).err).toBe("");
  const added = await theirs.run(["token", "add", "eve", "--json"]);
  token = readFileSync(textAt(jsonLines(added.out)[0], "path") ?? "", "utf8").trim();
  setTraps();
}, TIMEOUT_MS);
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await Promise.all([desk.clear(), theirs.clear()]);
});

const data = (): string => join(desk.dir, "data");
/** Of an engine that never ran: its gate answers by itself. */
const alone = (): string => join(desk.dir, "alone");

/** Programs and files that leave a mark where they are run or read. */
function setTraps(): void {
  mkdirSync(traps);
  const mark = `touch '${join(traps, "sprung")}'`;
  for (const name of ["cat", "date", "mv", "rm", "env", "node", "sh", "du"]) {
    writeFileSync(join(traps, name), `#!/bin/sh\n/usr/bin/${mark}\nexit 0\n`);
    chmodSync(join(traps, name), 0o755);
  }
  writeFileSync(join(traps, "rc"), `/usr/bin/${mark}\n`);
  const write = `require("node:fs").writeFileSync(${JSON.stringify(join(traps, "sprung"))}, "");\n`;
  writeFileSync(join(traps, "required.cjs"), write);
}
const isSprung = (): boolean =>
  existsSync(join(traps, "sprung")) ||
  existsSync(join(traps, "coverage")) ||
  existsSync(join(traps, "warnings"));

/** What Node, shells and their programs obey. */
const OTHERS: Readonly<Record<string, string>> = {
  PATH: traps,
  ENV: join(traps, "rc"),
  BASH_ENV: join(traps, "rc"),
  CDPATH: "/:/tmp",
  IFS: "/",
  PS4: "$(/bin/false)",
  NODE_OPTIONS: `--require ${join(traps, "required.cjs")}`,
  NODE_PATH: traps,
  NODE_V8_COVERAGE: join(traps, "coverage"),
  NODE_REDIRECT_WARNINGS: join(traps, "warnings"),
  NODE_EXTRA_CA_CERTS: join(traps, "rc"),
  NODE_DEBUG: "*",
  OPENSSL_CONF: join(traps, "rc"),
  SSL_CERT_FILE: join(traps, "rc"),
  LD_LIBRARY_PATH: traps,
  LOCPATH: traps,
  LC_ALL: "evil",
  HTTP_PROXY: "http://127.0.0.1:9",
  POSIXLY_CORRECT: "1",
  "BASH_FUNC_cat%%": "() { exit 0; }",
};
const listed = listedVariables(ROOT).filter((name) => !(name in OTHERS));

/** The worst that each could say. */
const worst = (): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(listed.map((name) => [name, "theirs"])),
  ...OTHERS,
  CLAUDE_PID: `1 theirs g_1 ask\n{"forged": true}`,
  CLAUDE_CODE_ENTRYPOINT: "cli",
  SIGNALBOX_DATA: join(theirs.dir, "data"),
  SIGNALBOX_URL: readFileSync(join(theirs.dir, "data", "address"), "utf8").split("\n")[0] ?? "",
  SIGNALBOX_TOKEN: token,
  HOME: theirs.dir,
  XDG_STATE_HOME: theirs.dir,
});

const value = fc.oneof(
  fc.constantFrom("theirs", "", "-", "0", "a b", "'; exit 0; '", "$(exit 0)", "theirs\nexport PATH=/x"),
  fc.string().map((text) => text.replaceAll("\0", "")),
);
/** A pid of digits may be another's, or nobody's: then a gate ends, which is "no". */
const isPid = (name: string, text: string): boolean => name === "CLAUDE_PID" && /^[1-9]\d*$/.test(text);
const environment = fc
  .dictionary(fc.constantFrom(...listed, ...Object.keys(OTHERS)), value, { minKeys: 1, maxKeys: 40 })
  .map((given) => Object.fromEntries(Object.entries(given).filter(([name, text]) => !isPid(name, text))));

const payload = {
  session_id: "s1",
  cwd: "/home/dev/shop",
  tool_name: "Bash",
  tool_input: { command: "touch x" },
};

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

function hook(
  folder: string,
  name: "gate" | "observe",
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  shell: readonly string[] = [],
): Promise<Ended> {
  const [program = "", ...rest] = [...shell, join(folder, "hooks", name), ...args];
  const child = spawn(program, rest, { env, stdio: ["pipe", "pipe", "ignore"] });
  started.push(child);
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stdin
    .on("error", () => undefined)
    .end(JSON.stringify({ ...payload, hook_event_name: "PermissionRequest" }));
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, out })));
}

/** What all three do, told apart from nothing but what their command lines say. */
async function done(env: Readonly<Record<string, string>>, shell?: readonly string[]) {
  rmSync(join(alone(), "spool"), { recursive: true, force: true });
  mkdirSync(join(alone(), "spool"), { mode: 0o700 });
  const terms = ["--timeout", "60", "--proof", "1", "--workspace", "mine", "--closed"];
  const asked = await hook(data(), "gate", [...terms, "ask"], env, shell);
  const closed = await hook(alone(), "gate", [...terms, "deny"], env, shell);
  const left = await hook(alone(), "gate", [...terms, "ask"], env, shell);
  const observed = await hook(alone(), "observe", ["all", "mine"], env, shell);
  const spooled = readdirSync(join(alone(), "spool")).map(
    (name) => readFileSync(join(alone(), "spool", name), "utf8").split("\n")[0] ?? "",
  );
  return {
    asked: [asked.code, decisionOf(asked, "behavior"), decisionOf(asked, "message")],
    closed: [closed.code, decisionOf(closed, "behavior"), decisionOf(closed, "message")],
    left,
    observed,
    spooled: spooled.map((line) => line.replace(/ g_\w+ /, " g_… ")).toSorted(),
    isSprung: isSprung(),
  };
}
const decisionOf = ({ out }: Ended, field: string): string =>
  (out === ""
    ? undefined
    : textAt(at(JSON.parse(out) as unknown, "hookSpecificOutput", "decision"), field)) ?? "none";

const expected = {
  asked: [0, "deny", expect.stringContaining(`Denied by rule`) as string],
  closed: [0, "deny", expect.stringContaining("no engine has run") as string],
  left: { code: 0, out: "" },
  observed: { code: 0, out: "" },
  spooled: ["1 0 mine g_… ask", "1 0 mine g_… deny", "1 0 mine gated=all"],
  isSprung: false,
};

describe("the hooks, in any environment", { timeout: TIMEOUT_MS }, () => {
  it("GATE-MAIN-5, PROGRAMS-3: with every variable as bad as it can be, they do what they do with none", async () => {
    const none = await done({});
    expect(none).toEqual(expected);
    expect(none.asked[2]).toContain(denial);
    expect(await done(worst())).toEqual(none);
  });

  property.prop([environment], RUNS)(
    "GATE-MAIN-5, PROGRAMS-3: whatever the variables say, the same engine is asked under the same workspace, and the closed answer is the same",
    async (env) => {
      expect(await done(env)).toEqual(expected);
    },
    TIMEOUT_MS,
  );

  it.skipIf(!existsSync("/bin/bash"))(
    "PROGRAMS-3: where the shell is bash, functions from the environment are not called; one that ends bash itself is a no",
    async () => {
      mkdirSync(join(theirs.dir, "bash"));
      const shell = join(theirs.dir, "bash", "sh");
      symlinkSync("/bin/bash", shell);
      const names = ["cat", "printf", "mv", "cd", "[", "umask", "command", "env"];
      const trap = `() { /usr/bin/touch '${traps}/sprung'; }`;
      const functions = Object.fromEntries(names.map((name) => [`BASH_FUNC_${name}%%`, trap]));
      expect(await done({ ...worst(), ...functions }, [shell])).toEqual(expected);
      // With POSIXLY_CORRECT, bash ends before the first line where a function has the name of a special builtin.
      const args = ["--timeout", "60", "--proof", "1", "--workspace", "theirs", "--closed", "ask"];
      const ended = await hook(data(), "gate", args, { ...worst(), "BASH_FUNC_exit%%": trap }, [shell]);
      expect([ended, isSprung()]).toEqual([{ code: 2, out: "" }, false]);
    },
  );

  it("GATE-MAIN-3, GATE-MAIN-5: the client's process is believed as far as ending goes: that is no answer", async () => {
    const gone = spawn("true");
    await new Promise((resolve) => gone.once("close", resolve));
    const args = ["--timeout", "60", "--proof", "1", "--workspace", "nobody", "--closed", "ask"];
    const asked = await hook(data(), "gate", args, { CLAUDE_PID: String(gone.pid) });
    expect(asked).toEqual({ code: 2, out: "" });
  });
});
