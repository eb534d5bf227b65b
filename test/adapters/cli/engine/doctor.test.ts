// Doctor
// What `doctor` finds on a machine that is well, and on one where something is wrong; and that what it advises mends it.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { once } from "node:events";
import { statfs } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checked, type Looking } from "../../../../adapters/cli/doctor/checks.ts";
import type { Finding } from "../../../../adapters/cli/doctor/finding.ts";
import { runningFindings } from "../../../../adapters/cli/doctor/running.ts";
import { kindOf } from "../../../../adapters/system/disk.ts";
import { syncTimeOf } from "../../../../adapters/system/sync.ts";
import type { Exchange } from "../../../../runtime/line/exchange.ts";
import { freePort } from "../../../support/http/free-port.ts";
import { until } from "../../../support/nats/on-nats.ts";
import { build, Desk, jsonLines } from "../../../support/processes/program.ts";

let desk: Desk;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
});
afterEach(() => desk.clear());

interface Told {
  readonly code: number | null;
  readonly found: readonly Finding[];
}

async function doctor(env: Readonly<Record<string, string>> = {}, ...args: readonly string[]): Promise<Told> {
  const { code, out } = await desk.run(["doctor", "--json", ...args], { env });
  return { code, found: jsonLines(out) as readonly Finding[] };
}

/** Of this machine's disk a test knows nothing. */
const besideDisk = ({ found }: Told): readonly Finding[] => found.filter(({ check }) => check !== "disk");

const about = ({ found }: Told, check: string): Finding | undefined =>
  found.find((each) => each.check === check);

describe("doctor", () => {
  it("DOCTOR-CHECKS-1, DOCTOR-CHECKS-2: on a machine where nothing was done yet it makes nothing, and says what to do first", async () => {
    const told = await doctor();
    expect(besideDisk(told).filter(({ is }) => is === "wrong")).toEqual([]);
    for (const each of told.found) expect(each.next !== undefined).toBe(each.is !== "ok");
    expect(about(told, "folder")?.next).toContain("npx signalbox up -d");
    expect(about(told, "hooks")?.next).toContain("npx signalbox install");
    expect(existsSync(join(desk.dir, "data"))).toBe(false);
  });

  it("DOCTOR-CHECKS-2: where an engine runs and the hooks are in, all is well, also in words", async () => {
    const { url } = await desk.up();
    await desk.run(["install"]);
    const told = await doctor();
    expect(new Set(besideDisk(told).map(({ is }) => is))).toEqual(new Set(["ok"]));
    expect(about(told, "engine")?.found).toContain(url);
    const { out } = await desk.run(["doctor"]);
    for (const { found } of besideDisk(told)) expect(out).toContain(`  ${found}\n`);
  });

  it("DOCTOR-CHECKS-3: a folder that others reach into is named, the other checks go on, and the advice closes it", async () => {
    const { engine } = await desk.up();
    engine.child.kill("SIGTERM");
    await engine.ended;
    chmodSync(desk.dir, 0o777);
    const told = await doctor();
    expect([told.code, about(told, "folder")?.is]).toEqual([1, "wrong"]);
    expect(about(told, "disk")).toBeDefined();
    expect(about(told, "folder")?.next).toContain(`chmod go-w '${desk.dir}'`);
    chmodSync(desk.dir, 0o755);
    expect(about(await doctor(), "folder")?.is).toBe("ok");
  });

  it("DOCTOR-CHECKS-2, I-39: hooks that somebody changed are wrong, and the command that it names puts them right", async () => {
    await desk.run(["install"]);
    const path = join(desk.dir, ".claude", "settings.json");
    const right = readFileSync(path, "utf8");
    writeFileSync(path, right.replace("hooks/gate", "hooks/gape"));
    const told = await doctor();
    expect([told.code, about(told, "hooks")?.is]).toEqual([1, "wrong"]);
    const [, command = ""] = /npx signalbox (.*)$/.exec(about(told, "hooks")?.next ?? "") ?? [];
    await desk.run(command.replaceAll("'", "").split(" "));
    expect((await doctor()).found.filter(({ check }) => check === "hooks").map(({ is }) => is)).toEqual([
      "ok",
    ]);
  });

  it("DOCTOR-CHECKS-2, SYSTEM-SHELL-1: a command that tells people and cannot be run is wrong, is not shown, and is not run", async () => {
    await desk.up();
    const at = join(desk.dir, "data", "signalbox.config.yaml");
    const verdict = async (command: string) => {
      writeFileSync(at, `notifyCmd: ${JSON.stringify(command)}\n`, { mode: 0o600 });
      const { code, found } = await doctor();
      const told = found.filter(({ check }) => check === "notifier");
      expect(JSON.stringify(told)).not.toContain("hunter2");
      expect(existsSync(join(desk.dir, "ran"))).toBe(false);
      return [code, ...told.map(({ is }) => is)];
    };
    const ran = `touch '${join(desk.dir, "ran")}'`;
    expect(await verdict("no-such-program-anywhere hunter2")).toEqual([1, "wrong"]);
    expect(await verdict(`${ran}; if hunter2`)).toEqual([1, "wrong"]);
    expect(await verdict("/etc/hunter2.sh")).toEqual([1, "wrong"]);
    expect(await verdict(`${ran}; curl hunter2`)).toEqual([0, "ok"]);
    expect(await verdict(`"$HOOK" $(${ran})`)).toEqual([0, "ok"]);
  });

  it("DOCTOR-CHECKS-4: an engine that waits to start is told with its reason, and no other program's words are", async () => {
    const port = await freePort();
    const env = { SIGNALBOX_NATS_URL: `nats://127.0.0.1:${await freePort()}`, SIGNALBOX_PORT: String(port) };
    desk.start(["up"], { env });
    await until("it waits", async () => (await doctor(env)).found.some(({ code }) => code !== undefined));
    expect(about(await doctor(env), "port")).toMatchObject({ is: "wrong", code: "NATS_UNAVAILABLE" });
    const other = createServer((_, answer) => answer.end('{"ready":false,"waitsFor":"rm -rf"}')).listen(0);
    await once(other, "listening");
    const { port: taken } = other.address() as AddressInfo;
    const told = about(await doctor({ SIGNALBOX_PORT: String(taken) }), "port");
    other.close();
    expect(told).toMatchObject({ is: "look", found: expect.stringContaining("Another program") as unknown });
  });

  it("SYSTEM-SYNC-1: it tells how long a durable write takes here, and leaves nothing of it behind", async () => {
    const dir = mkdtempSync(join(desk.dir, "sync-"));
    expect(await syncTimeOf(dir)).toBeGreaterThan(0);
    expect(readdirSync(dir)).toEqual([]);
    expect(await syncTimeOf(join(dir, "none"))).toBeUndefined();
  });

  it("DOCTOR-CHECKS-2: a token that the engine does not take is named, and never printed", async () => {
    await desk.up();
    const { code, out } = await desk.run(["doctor"], {
      env: { SIGNALBOX_TOKEN: "not-a-token-of-this-engine" },
    });
    expect(code).toBe(1);
    expect(out).toContain("does not take the token in SIGNALBOX_TOKEN");
    expect(out).not.toContain("not-a-token-of-this-engine");
  });

  it.runIf(existsSync("/dev/shm"))(
    "SYSTEM-DISK-1: a folder in memory is wrong, and so is one that is not made yet there",
    async () => {
      const dir = mkdtempSync("/dev/shm/signalbox-");
      try {
        for (const data of [dir, join(dir, "deep", "down")]) {
          const told = await doctor({}, "--data", data);
          expect(told.found).toContainEqual(
            expect.objectContaining({
              check: "disk",
              is: "wrong",
              found: expect.stringContaining("in memory") as unknown,
            }),
          );
          expect(besideDisk(told).filter(({ is }) => is === "wrong")).toEqual([]);
        }
      } finally {
        rmSync(dir, { recursive: true });
      }
      expect(kindOf((await statfs("/dev/shm")).type)).toBe("memory");
    },
  );

  it("SYSTEM-DISK-1: of the kinds that nobody has here the numbers are those of the manual", () => {
    expect([0x6969, 0xff534d42, 0x00c36400].map(kindOf)).toEqual(["network", "network", "network"]);
    expect([0xef53, 0x9123683e, 0x58465342, 0x794c7630, 1].map(kindOf)).toEqual(Array(5).fill("disk"));
  });
});

describe("the checks of doctor", () => {
  const findings = async (machine: Partial<Looking["wiring"]["machine"]>): Promise<readonly Finding[]> => {
    mkdirSync(join(desk.dir, "data"), { recursive: true });
    const fine = { node: "22.1.0", isTaken: () => Promise.resolve(false) };
    const disk = () => Promise.resolve({ freeBytes: 9e9, sizeBytes: 1e11, kind: "disk" } as const);
    const syncTime = () => Promise.resolve(2);
    const runnable = () => Promise.resolve("yes" as const);
    const wiring: Looking["wiring"] = {
      ...{ version: "1.2.3", agents: [], machine: { ...fine, disk, syncTime, runnable, ...machine } },
      natsServer: { find: () => Promise.resolve(undefined) },
      findClient: () => Promise.resolve("none"),
      hooks: () => expect.fail("no agent is known"),
      readOwn: () => Promise.resolve(undefined),
      shownAddress: (url) => url,
    };
    const folder: Looking["folder"] = {
      ...{ dir: join(desk.dir, "data"), isDefault: true, settings: "none" },
      engine: () => Promise.resolve(undefined),
      binding: () => Promise.resolve({ kind: "embedded" }),
      tokens: () => Promise.resolve([]),
    };
    const all: Finding[] = [];
    for await (const each of checked({ wiring, folder, env: {}, engine: undefined })) all.push(each);
    return all;
  };
  const verdicts = (all: readonly Finding[], check: string) =>
    all.filter((each) => each.check === check).map(({ is }) => is);

  it("DOCTOR-CHECKS-2: an old Node, a full disk, another program at the port and a disk elsewhere are told", async () => {
    expect(verdicts(await findings({ node: "20.18.3" }), "program")).toEqual(["wrong"]);
    expect(verdicts(await findings({ node: "20.19.0" }), "program")).toEqual(["ok"]);
    expect(verdicts(await findings({ isTaken: () => Promise.resolve(true) }), "port")).toEqual(["look"]);
    const disk = (freeBytes: number, kind: "disk" | "network", sizeBytes = 1e11) => ({
      disk: () => Promise.resolve({ freeBytes, sizeBytes, kind }),
    });
    expect(verdicts(await findings(disk(1e6, "disk")), "disk")).toEqual(["wrong", "ok", "ok"]);
    // Of a small disk the engine leaves an eighth free.
    expect(verdicts(await findings(disk(3e7, "disk", 2e8)), "disk")).toEqual(["look", "ok", "ok"]);
    expect(verdicts(await findings(disk(5e8, "disk")), "disk")).toEqual(["look", "ok", "ok"]);
    expect(verdicts(await findings(disk(9e9, "network")), "disk")).toEqual(["ok", "wrong", "ok"]);
    const sync = (ms: number | undefined) => ({ syncTime: () => Promise.resolve(ms) });
    expect(verdicts(await findings(sync(80)), "disk")).toEqual(["ok", "ok", "look"]);
    expect(verdicts(await findings(sync(0.004)), "disk")).toEqual(["ok", "ok", "look"]);
    expect(verdicts(await findings(sync(undefined)), "disk")).toEqual(["ok", "ok"]);
  });

  it("DOCTOR-CHECKS-3: a check that fails is told as such, and those behind it are made", async () => {
    const all = await findings({ disk: () => Promise.reject(new Error("no such device")) });
    expect(all.find(({ check }) => check === "disk")).toMatchObject({
      is: "wrong",
      found: expect.stringContaining("no such device") as unknown,
    });
    expect(verdicts(all, "token")).toEqual(["ok"]);
  });

  it("DOCTOR-CHECKS-2: what a running engine says is wrong is told with its code and its next step", async () => {
    const reasons = [
      {
        code: "JOURNAL_FULL",
        message: "The journal is full.",
        next: "Free some.",
        since: 1,
        isEssential: true,
      },
      { code: "CLOCK_AHEAD", message: "The clock is ahead.", next: "Set it.", since: 1, isEssential: false },
    ];
    const body = new Response(JSON.stringify({ ready: false, reasons })).body;
    const exchange = (() => Promise.resolve({ status: 503, headers: {}, body })) as unknown as Exchange;
    const folder = { dir: desk.dir, isDefault: true, engine: () => Promise.resolve(exchange) };
    expect(await runningFindings(folder, "http://127.0.0.1:1")).toEqual([
      {
        check: "engine",
        is: "wrong",
        found: "The journal is full.",
        next: "Free some.",
        code: "JOURNAL_FULL",
      },
      { check: "engine", is: "look", found: "The clock is ahead.", next: "Set it.", code: "CLOCK_AHEAD" },
    ]);
  });
});
