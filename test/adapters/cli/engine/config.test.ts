// Config
// A file of settings as an operator meets it: what a start makes of it, what `config` says, whose file is believed.

import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { textAt } from "../../../support/engine/json.ts";
import { engineOf } from "../../../support/processes/processes.ts";
import { build, Desk, type Ended, jsonLines } from "../../../support/processes/program.ts";

const SECRET = "s3cr3t-t0ken";
let desk: Desk;
let data: string;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  data = join(desk.dir, "data");
  mkdirSync(data, { mode: 0o700 });
});
afterEach(() => desk.clear());

const fileOf = (folder: string): string => join(folder, "signalbox.config.yaml");
const write = (text: string, path = fileOf(data)): void => writeFileSync(path, text, { mode: 0o600 });

/** What `config` says, by setting: the value and who said it. */
async function told(
  env: Readonly<Record<string, string>> = {},
  ...args: readonly string[]
): Promise<Readonly<Record<string, string>>> {
  const { out } = await desk.run(["config", "--json", ...args], { env });
  return Object.fromEntries(
    jsonLines(out).map((each) => [
      textAt(each, "setting") ?? "",
      `${textAt(each, "value") ?? ""} (${textAt(each, "at") ?? textAt(each, "origin") ?? ""})`,
    ]),
  );
}

describe("a file of settings", () => {
  it("HAND-OVER-1: a start from the file alone has each of its settings, also after the engine was killed and the file was broken", async () => {
    const [mirror, heard] = [join(desk.dir, "mirror"), join(desk.dir, "heard")];
    write(
      [
        ...["port: 0", "nats: off", "log: info", "stateFiles: ../mirror", "quota: messages=3"],
        `notifyCmd: echo "$SIGNALBOX_APPROVAL_ID" >> '${heard}'`,
      ].join("\n"),
    );
    const engine = desk.start(["up"]);
    const [, url = ""] = await engine.said(/runs at (http:\/\/[\d.]+:\d+)/);
    await engine.said(/"msg":"started"/);
    await desk.emit("request.created", { requestId: "r1", prompt: "Go" });
    await desk.emit("approval.requested", { approvalId: "a1", requestId: "r1", tool: "Bash", input: {} });
    await expect.poll(() => existsSync(mirror) && existsSync(heard)).toBe(true);
    write("nonsense: 1\n");
    process.kill(engineOf(engine), "SIGKILL");
    await engine.said(/runs again at/);
    expect((await desk.run(["config"])).err).toContain(`${fileOf(data)}:1: There is no setting nonsense.`);
    const { out } = await desk.run(["ls", "requests", "--url", url]);
    expect(out).toContain("r1");
  });

  it("SETTINGS-ORIGINS-1, SETTINGS-SHOWN-2: `config` and `up` take a flag before a variable, a variable before the file; what a running engine has instead is told", async () => {
    write("port: 4321\nnats: off\nhost: box\nlog: error\n");
    const found = await told({ SIGNALBOX_LOG: "debug", SIGNALBOX_HOST: "127.0.0.1" }, "--log", "fatal");
    expect(found).toMatchObject({
      data: `${data} (SIGNALBOX_DATA)`,
      config: `${fileOf(data)} (default)`,
      port: `4321 (${fileOf(data)}:1)`,
      host: "127.0.0.1 (SIGNALBOX_HOST)",
      log: "fatal (--log)",
      quota: "messages=2000,bytes=8mb,kept=64gb (default)",
    });
    const engine = desk.start(["up", "--port", "0"], {
      env: { SIGNALBOX_HOST: "127.0.0.1", SIGNALBOX_LOG: "info" },
    });
    await engine.said(/runs at http:\/\/127\.0\.0\.1:(?!4321)/);
    await engine.said(/"msg":"started"/);
    const { out } = await desk.run(["config"], { env: { SIGNALBOX_HOST: "127.0.0.1" } });
    expect(out).toMatch(/^port +line 1 +4321 \(the running engine: 0\)$/m);
    expect(out).toMatch(/^log +line 4 +error \(the running engine: info\)$/m);
    expect(out).toMatch(/^host +SIGNALBOX_HOST +127\.0\.0\.1$/m);
    expect(out).toContain("counts from its next start");
  });

  it("CLI-SETTINGS-FILE-1: a file in the working folder is not looked at; one that is named is, with its own folder for its paths", async () => {
    const [project, other] = [join(desk.dir, "project"), join(desk.dir, "other.yaml")];
    mkdirSync(project);
    write("port: 1\n", fileOf(project));
    const before = ["/bin/sh", "-c", 'cd "$0" && exec "$@"', project];
    const { out } = await desk.run(["config", "--json"], { before });
    expect(out).toContain('"setting":"port","value":"4280","origin":"default"');
    write("port: 2\nstateFiles: states\n", other);
    expect(await told({}, "--config", other)).toMatchObject({
      config: `${other} (--config)`,
      port: `2 (${other}:1)`,
      stateFiles: `${join(desk.dir, "states")} (${other}:2)`,
    });
    const gone = await desk.run(["up", "--config", `${other}x`]);
    expect([gone.code, gone.err]).toEqual([2, expect.stringContaining(`There is no file ${other}x.`)]);
  });

  it("CLI-SETTINGS-FILE-2: a file that others can write, a link, a folder and a wrong one start nothing, and `doctor` tells", async () => {
    const refused = async (code: number, words: string): Promise<void> => {
      const start = ["--port", "0", "--nats", "off"];
      const tried = [["up", ...start], ["up", "-d", ...start], ["config"], ["doctor", "--json"]];
      const all: readonly Ended[] = await Promise.all(tried.map((args) => desk.run(args)));
      const out = all.at(-1)?.out ?? "";
      for (const each of all.slice(0, -1))
        expect([each.code, each.err]).toEqual([code, expect.stringContaining(words)]);
      expect(jsonLines(out)).toContainEqual(
        expect.objectContaining({
          check: "config",
          is: "wrong",
          found: expect.stringContaining(words) as string,
        }),
      );
    };
    write("port: 1\n");
    chmodSync(fileOf(data), 0o664);
    await refused(1, "Others can write to");
    chmodSync(fileOf(data), 0o600);
    write("# mine\nprot: 1\n");
    await refused(2, `${fileOf(data)}:2: There is no setting prot. Did you mean port?`);
    const linked = join(desk.dir, "linked");
    mkdirSync(linked, { mode: 0o700 });
    symlinkSync(fileOf(data), fileOf(linked));
    const found = await desk.run(["config", "--data", linked]);
    expect([found.code, found.err]).toEqual([1, expect.stringContaining("is a link")]);
  });

  it("CLI-SETTINGS-FILE-3, SETTINGS-SHOWN-1: a secret is read from the file that is named, which is closed to others, and nothing prints it", async () => {
    const path = join(data, "nats-url");
    write(`nats://${SECRET}@127.0.0.1:9\n`, path);
    chmodSync(path, 0o644);
    write("natsUrlFile: nats-url\n");
    const { out, err } = await desk.run(["config"]);
    expect(out).toMatch(/^natsUrl +line 1 +set$/m);
    expect(err).toContain("nats-url");
    const up = desk.start(["up", "--port", "0"]);
    await up.said(/127\.0\.0\.1:9/);
    up.child.kill("SIGTERM");
    const ended = await up.ended;
    const { out: json } = await desk.run(["config", "--json"]);
    for (const text of [out, err, json, ended.out, ended.err]) expect(text).not.toContain(SECRET);
  });
});

describe("config", () => {
  it("CLI-SETTINGS-FILE-2: `check` says that a file is right, or its first fault with exit code 2; the schema is that of the file", async () => {
    const path = join(desk.dir, "a.yaml");
    write("port: 1\nname: box\n", path);
    expect(await desk.run(["config", "check", path])).toEqual({
      code: 0,
      out: `${path} is valid: 2 settings.\n`,
      err: "",
    });
    write("name: [1]\n", path);
    const wrong = await desk.run(["config", "check", path]);
    expect([wrong.code, wrong.out, wrong.err]).toEqual([
      2,
      "",
      expect.stringContaining(`${path}:1: name is not right.`),
    ]);
    for (const args of [["check"], ["show", path], ["check", `${path}x`]])
      expect((await desk.run(["config", ...args])).code).toBe(2);
    expect(JSON.parse((await desk.run(["config", "schema"])).out)).toMatchObject({ type: "object" });
  });

  it("SETTINGS-ORIGINS-3: `up` refuses a variable that nobody reads and a flag that there is not, and names the near one", async () => {
    const variable = await desk.run(["up"], { env: { SIGNALBOX_PROT: "1" } });
    expect([variable.code, variable.err]).toEqual([
      2,
      expect.stringContaining("Did you mean SIGNALBOX_PORT?"),
    ]);
    const flag = await desk.run(["up", "--prot", "1"]);
    expect([flag.code, flag.err]).toEqual([2, expect.stringContaining("Did you mean --port?")]);
  });

  it("SETTINGS-TABLE-1: a shell completes each flag of docs/reference/configuration.md, and the service's unit leaves all else to the file", async () => {
    const docs = readFileSync(
      join(import.meta.dirname, "../../../../docs/reference/configuration.md"),
      "utf8",
    );
    const { out } = await desk.run(["completion", "bash"]);
    for (const flag of docs.matchAll(/^\| `\w+` +\| `(--[\w-]+)`/gm)) expect(out).toContain(flag[1]);
    const unit = await desk.run(["service", "print", "--for", "systemd", "--config", "a.yaml"]);
    expect(unit.out).toMatch(/^ExecStart=.* "up" "--data" "[^"]+" "--config" "\/[^"]+a\.yaml"$/m);
  });
});
