// Commands and the disk
// The engine and its commands on folders that have lost something, belong to somebody else, or cannot be written.
//
//   Owns:          G23, G27, G29 as far as processes and users of the machine are needed.
//   Does not own:  the rules one by one (data-folder.own.test.ts, data-folder.used.test.ts, lmdb/lost.test.ts).

import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rawIn } from "../../../support/lmdb/raw.ts";
import { until } from "../../../support/nats/on-nats.ts";
import { freePort } from "../../../support/http/free-port.ts";
import { engineOf } from "../../../support/processes/processes.ts";
import { build, Desk, type Started } from "../../../support/processes/program.ts";

let desk: Desk;
let data: string;
let store: string;
beforeAll(() => build(), 180_000);
beforeEach(() => {
  desk = new Desk();
  data = join(desk.dir, "data");
  store = join(data, "store", "data.mdb");
});
afterEach(() => desk.clear());

const UP = ["up", "--nats", "off", "--port", "0"] as const;

async function end(engine: Started): Promise<void> {
  engine.child.kill("SIGTERM");
  await engine.ended;
}

/** An engine ran there, and accepted something. */
async function used(): Promise<void> {
  const { engine } = await desk.up();
  expect((await desk.emit("request.created", { requestId: "r1" })).code).toBe(0);
  await end(engine);
}

const status = async (port: number, path: string) => {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return [response.status, await response.json()];
};

const WAITING = [
  503,
  {
    ready: false,
    waitsFor: "STORE_READ_ONLY",
    reasons: [
      {
        code: "STORE_READ_ONLY",
        message: "The engine waits to start (STORE_READ_ONLY) and tries again each second.",
        next: "See what the engine printed where it was started: it says what to do.",
        since: expect.any(Number) as number,
        isEssential: true,
      },
    ],
  },
];

describe("G23: a folder that has lost something", () => {
  it.each([
    [
      "its data file",
      () => rmSync(store),
      /used before, and .*data\.mdb is gone.*\nPut it back .* rm '.*folder\.json'/,
    ],
    [
      "half of its data file",
      () => truncateSync(store, statSync(store).size / 2),
      /data\.mdb is damaged: page \d+ is beyond its end/,
    ],
    ["what its data file began with", () => truncateSync(store, 100), /data\.mdb is damaged: its header/],
  ])("G23: up says that %s is gone, and begins nothing anew", async (_, lose, words) => {
    await used();
    lose();
    const before = readdirSync(data, { recursive: true }).toSorted();
    const { code, err } = await desk.run(UP);
    expect([code, err]).toEqual([1, expect.stringMatching(words)]);
    expect(readdirSync(data, { recursive: true }).toSorted()).toEqual(before);
  });

  it("G23, G6, SERVE-2: when its lock file is deleted, the running engine comes back with all it acknowledged, and a second is refused", async () => {
    const { engine } = await desk.up();
    expect((await desk.emit("request.created", { requestId: "r1" })).code).toBe(0);
    // What the engine writes by itself after a start would reveal the deletion, and the second could come between.
    await until("the start is over, and the redo log folded", async () => {
      const { rows, redo } = await rawIn(join(data, "store"));
      return redo.length === 0 && !rows.has("starts");
    });
    rmSync(join(data, "store", "lock.mdb"));
    rmSync(join(data, "address"));
    rmSync(join(data, "engine.sock"));
    const second = await desk.run(UP);
    expect([second.code, second.err]).toEqual([1, expect.stringContaining("Another engine uses the store")]);
    const [, url = ""] = /runs at (http:\S+?)\. /.exec(engine.out) ?? [];
    // This very message may reveal the other engine, and then goes unacknowledged.
    await desk.run([
      "emit",
      "request.created",
      "--subject",
      "shop/chat-7",
      "--body",
      '{"requestId":"r2"}',
      "--url",
      url,
    ]);
    await engine.said(/runs again at/);
    const { code, out } = await desk.run(["ls", "requests", "--json"]);
    expect([code, out]).toEqual([0, expect.stringContaining('"r1"')]);
  });

  it("G23: if the folder cannot be made, up says so and ends", async () => {
    const { code, err } = await desk.run([...UP, "--data", "/proc/nowhere/data"]);
    expect([code, err]).toEqual([1, expect.stringMatching(/\/proc\/nowhere.*ENOENT.*\n.*--data/)]);
  });
});

const root = process.getuid?.() === 0;
const OTHER = 4321;
const canSwitch = root && spawnSync("setpriv", [`--reuid=${OTHER}`, "--clear-groups", "true"]).status === 0;
const AS_OTHER = { before: ["setpriv", `--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups"] };

describe.runIf(canSwitch)("G27: folders of two users", () => {
  it("G27: root neither runs an engine on another user's folder, nor reads its token", async () => {
    await used();
    for (const path of [
      data,
      ...readdirSync(data, { recursive: true, encoding: "utf8" }).map((name) => join(data, name)),
    ])
      chownSync(path, OTHER, OTHER);
    for (const args of [UP, ["ls"], ["token", "add", "ada"]]) {
      const { code, err } = await desk.run(args);
      expect([args, code, err]).toEqual([
        args,
        1,
        expect.stringMatching(/belongs to user 4321, and this program runs as root\.\n.*sudo -u/),
      ]);
    }
    expect(statSync(join(data, "line-key")).uid).toBe(OTHER);
  });

  it("G27: another user is told whose folder it is, and changes nothing", async () => {
    await used();
    chmodSync(desk.dir, 0o755);
    chmodSync(data, 0o755);
    const before = readFileSync(join(data, "line-key"), "utf8");
    for (const args of [UP, ["ls"]]) {
      const { code, err } = await desk.run(args, AS_OTHER);
      expect([args, code, err]).toEqual([
        args,
        1,
        expect.stringMatching(/(belongs to root|may not read or write).*\n.*--data/),
      ]);
    }
    expect([readFileSync(join(data, "line-key"), "utf8"), existsSync(store)]).toEqual([before, true]);
  });
});

const MOUNT = ["unshare", "-rm"];
const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

describe("G29: a disk that cannot be written", () => {
  it.runIf(canMount)(
    "G29, LAUNCH-1: on a read-only disk the engine stays up, not ready, says why, and goes on once it can write",
    async () => {
      const port = await freePort();
      const script = [
        'mkdir -m 700 "$SIGNALBOX_DATA"; mount -t tmpfs -o mode=700 none "$SIGNALBOX_DATA"',
        '"$@" & engine=$!; read go; kill $engine; wait $engine',
        'mount -o remount,ro "$SIGNALBOX_DATA"',
        '"$@" & engine=$!; read go; echo writable; mount -o remount,rw "$SIGNALBOX_DATA"; wait $engine',
      ].join("\n");
      const engine = desk.start(["up", "--nats", "off", "--port", String(port)], {
        before: [...MOUNT, "sh", "-c", script, "sh"],
        keepInput: true,
      });
      await engine.said(/runs at/);
      engine.forget();
      engine.child.stdin?.write("stop\n");
      await engine.said(/The store in .* cannot be written: .*EROFS.*\n.*remount,rw/);
      expect(await status(port, "/livez")).toEqual([200, { live: true }]);
      expect(await status(port, "/readyz")).toEqual(WAITING);
      engine.child.stdin?.end("go\n");
      await engine.said(/runs at/);
      expect(await status(port, "/readyz")).toEqual([200, { ready: true }]);
      spawnSync("kill", ["-TERM", String(engineOf(engine))]);
    },
  );

  it.runIf(canSwitch || !root)("G29: so it does without the right to write", async () => {
    const as = canSwitch ? AS_OTHER : {};
    if (canSwitch) chownSync(desk.dir, OTHER, OTHER);
    const port = await freePort();
    const args = ["up", "--nats", "off", "--port", String(port)];
    const first = desk.start(args, as);
    await first.said(/runs at/);
    await end(first);
    for (const file of ["data.mdb", "lock.mdb"]) chmodSync(join(data, "store", file), 0o400);
    const engine = desk.start(args, as);
    await engine.said(/The store in .* cannot be written: .*EACCES.*\n.*chmod -R u\+rwX/);
    expect(await status(port, "/readyz")).toEqual(WAITING);
    spawnSync("chmod", ["-R", "u+rwX", join(data, "store")]);
    await engine.said(/runs at/);
    await end(engine);
  });

  it.runIf(canMount)(
    "G29, DATA-FOLDER-TROUBLE-2: it waits for a new folder on a read-only disk, and stops waiting when asked to",
    async () => {
      const script = [
        'mkdir "$SIGNALBOX_DATA"; mount -t tmpfs -o ro,mode=700 none "$SIGNALBOX_DATA"',
        'exec "$@"',
      ].join("\n");
      const engine = desk.start([...UP, "--data", join(data, "a", "b")], {
        before: [...MOUNT, "sh", "-c", script, "sh"],
      });
      await engine.said(/cannot be written: its disk is read-only \(EROFS\)\.\nMake the disk writable/);
      engine.child.kill("SIGTERM");
      expect((await engine.ended).code).toBe(0);
    },
  );
});

describe("compact", () => {
  it("CLI: a stopped engine's store is compacted and works; a running one's is not touched", async () => {
    await used();
    const before = statSync(store).size;
    const { code, out } = await desk.run(["compact", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ dir: data, bytesBefore: before, bytesAfter: statSync(store).size });
    expect((await desk.run(["compact"])).out).toMatch(
      /^The store in .* took [\d.]+ MB; the store takes [\d.]+ MB now\.\n$/,
    );
    await desk.up();
    expect((await desk.run(["show", "r1"])).code).toBe(0);
    const refused = await desk.run(["compact"]);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringMatching(/Another engine uses .*\nStop that engine first/),
    ]);
  });

  it("CLI: a folder without a store is reported, and nothing is created there", async () => {
    const { code, err } = await desk.run(["compact", "--data", join(desk.dir, "none")]);
    expect([code, err]).toEqual([1, expect.stringMatching(/There is no store in .*none\.\n.*--data DIR/)]);
    expect(existsSync(join(desk.dir, "none"))).toBe(false);
  });
});
