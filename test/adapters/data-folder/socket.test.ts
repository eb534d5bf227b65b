// Socket
// The engine's socket in a data folder: where it comes to be, what counts as one, and what others can do about it.

import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type DataFolder, dataFolder, findSocket, placeSocket } from "../../../adapters/data-folder/index.ts";

let base: string;
let folder: DataFolder;
const servers: Server[] = [];
const named: string[] = [];
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "signalbox-socket-"));
  folder = dataFolder(join(base, "data"), {});
  mkdirSync(folder.dir, { mode: 0o700 });
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const dir of named.splice(0)) rmSync(dir, { recursive: true, force: true });
  rmSync(base, { recursive: true, force: true });
});

async function listenAt(path: string): Promise<void> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, () => resolve()));
}
const modeOf = (path: string): number => lstatSync(path).mode & 0o777;

describe("SOCKET-2: putting it there", () => {
  it("SOCKET-2: it has no name before it is closed to others, and none is left over", async () => {
    const bound: string[] = [];
    const leave = await placeSocket(folder, async (path) => {
      bound.push(path);
      await listenAt(path);
    });
    expect(bound).not.toContain(folder.socket);
    expect([readdirSync(folder.dir), modeOf(folder.socket)]).toEqual([["engine.sock"], 0o600]);
    expect(await findSocket(folder)).toBe(folder.socket);
    await leave?.();
    expect([readdirSync(folder.dir), await findSocket(folder)]).toEqual([[], undefined]);
  });

  it("SOCKET-3: after a kill the next one takes the place, and drafts go; the earlier one takes nothing away", async () => {
    writeFileSync(`${folder.socket}.0123abcd`, "");
    const first = await placeSocket(folder, listenAt);
    const second = await placeSocket(folder, listenAt);
    await first?.();
    expect([readdirSync(folder.dir), await findSocket(folder)]).toEqual([["engine.sock"], folder.socket]);
    await second?.();
    expect(readdirSync(folder.dir)).toEqual([]);
  });

  it("SOCKET-4: where the path is too long, the folder names another, which only this user can enter; it is used again", async () => {
    const long = dataFolder(join(base, "d".repeat(90)), {});
    mkdirSync(long.dir, { mode: 0o700 });
    process.env["XDG_RUNTIME_DIR"] = process.env["TMPDIR"] = base;
    const leave = await placeSocket(long, listenAt);
    delete process.env["XDG_RUNTIME_DIR"];
    delete process.env["TMPDIR"];
    const path = (await findSocket(long)) ?? "";
    named.push(dirname(path));
    expect(path).toMatch(/^\/tmp\/signalbox-\w{6}\/engine\.sock$/);
    expect([modeOf(dirname(path)), modeOf(path), Buffer.byteLength(path) <= 100]).toEqual([
      0o700,
      0o600,
      true,
    ]);
    expect(readFileSync(long.socketPlace, "utf8")).toBe(`${dirname(path)}\n`);
    const again = await placeSocket(long, listenAt);
    expect(await findSocket(long)).toBe(path);
    await leave?.();
    expect(existsSync(path)).toBe(true);
    await again?.();
    expect([existsSync(dirname(path)), await findSocket(long)]).toEqual([false, undefined]);
  });

  it("SOCKET-4: where no socket can be at all there is none, and nothing is left of the try", async () => {
    const failing = (): Promise<void> =>
      Promise.reject(Object.assign(new Error("no sockets here"), { code: "ENOTSUP", syscall: "listen" }));
    expect(await placeSocket(folder, failing)).toBeUndefined();
    named.push(readFileSync(folder.socketPlace, "utf8").trim());
    expect(await findSocket(folder)).toBeUndefined();
  });
});

describe("SOCKET-1: what counts as one", () => {
  it.each([
    ["a folder that its group may enter", () => chmodSync(folder.dir, 0o750), "OPEN_TO_OTHERS"],
    ["a folder that others may read", () => chmodSync(folder.dir, 0o704), "OPEN_TO_OTHERS"],
    ["a folder above that others may write", () => chmodSync(base, 0o777), "OPEN_TO_OTHERS"],
    ["a socket that others may use", () => chmodSync(folder.socket, 0o666), "NOT_A_SOCKET"],
  ])("SOCKET-1, DATA-FOLDER-OWNERSHIP-4: %s: nobody connects to it", async (_, open, code) => {
    await placeSocket(folder, listenAt);
    open();
    await expect(findSocket(folder)).rejects.toMatchObject({ code });
    chmodSync(base, 0o700);
  });

  it("SOCKET-1: a file, a pipe and a link in its place are none", async () => {
    const other = join(base, "other");
    await listenAt(other);
    const makers = [
      () => writeFileSync(folder.socket, "", { mode: 0o600 }),
      () => execFileSync("mkfifo", ["-m", "600", folder.socket]),
      () => symlinkSync(other, folder.socket),
    ];
    for (const make of makers) {
      make();
      await expect(findSocket(folder)).rejects.toMatchObject({ code: "NOT_A_SOCKET" });
      rmSync(folder.socket);
    }
  });

  it("SOCKET-1: a place that is named counts as the folder itself does", async () => {
    const place = join(base, "place");
    mkdirSync(place, { mode: 0o755 });
    await listenAt(join(place, "engine.sock"));
    writeFileSync(folder.socketPlace, `${place}\n`, { mode: 0o600 });
    await expect(findSocket(folder)).rejects.toMatchObject({ code: "OPEN_TO_OTHERS" });
    chmodSync(place, 0o700);
    await expect(findSocket(folder)).rejects.toMatchObject({ code: "NOT_A_SOCKET" });
    chmodSync(join(place, "engine.sock"), 0o600);
    expect(await findSocket(folder)).toBe(join(place, "engine.sock"));
  });
});

const OTHER = 4321;
const canSwitch =
  process.getuid?.() === 0 &&
  spawnSync("setpriv", [`--reuid=${OTHER}`, "--clear-groups", "true"]).status === 0;

describe.runIf(canSwitch)("SOCKET-1: another account of this machine (needs root)", () => {
  const asOther = (script: string) =>
    spawnSync(
      "setpriv",
      [`--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups", process.execPath, "-e", script],
      {
        encoding: "utf8",
      },
    );

  it("SOCKET-1: cannot connect to it, not even with its path known", async () => {
    await placeSocket(folder, listenAt);
    chmodSync(base, 0o755);
    const path = JSON.stringify(folder.socket);
    const { stdout } = asOther(
      `require("node:net").connect(${path}).on("connect", () => { console.log("in"); process.exit(); }).on("error", ({ code }) => console.log(code));`,
    );
    expect(stdout.trim()).toBe("EACCES");
  });

  it("SOCKET-1: one of theirs is none, wherever it lies", async () => {
    await placeSocket(folder, listenAt);
    chownSync(folder.socket, OTHER, OTHER);
    await expect(findSocket(folder)).rejects.toMatchObject({ code: "NOT_YOURS" });
    rmSync(folder.socket);
    const place = mkdtempSync("/tmp/signalbox-");
    named.push(place);
    await listenAt(join(place, "engine.sock"));
    for (const path of [join(place, "engine.sock"), place]) chownSync(path, OTHER, OTHER);
    writeFileSync(folder.socketPlace, `${place}\n`, { mode: 0o600 });
    await expect(findSocket(folder)).rejects.toMatchObject({ code: "NOT_YOURS" });
  });
});
