// Child
// Which process is believed to be the folder's server, and when a note or a ports file counts.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fc, test as property } from "@fast-check/vitest";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { forgetChild, liveChild, noteChild } from "../../../adapters/nats-server/child.ts";
import { runPrivateServer } from "../../../adapters/nats-server/index.ts";
import { listensOn, markOf } from "../../../adapters/system/index.ts";
import { privateOptions, serverPidIn } from "../../support/nats/private.ts";

const looking = { markOf, listensOn };
let dir: string;
const closing: (() => unknown)[] = [];
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "signalbox-child-"))));
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(dir, { recursive: true, force: true });
});

const portsFile = (pid: number, ...ports: readonly number[]): void =>
  writeFileSync(
    join(dir, `nats-server_${pid}.ports`),
    JSON.stringify({ nats: ports.map((port) => `nats://127.0.0.1:${port}`) }),
  );

/** A port on which this process listens. */
async function listening(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

function sleeper(): number {
  const child = spawn("sleep", ["600"], { stdio: "ignore" });
  closing.push(() => child.kill("SIGKILL"));
  if (child.pid === undefined) throw new Error("sleep was not started.");
  return child.pid;
}

describe("who has the port", () => {
  test("NATS-SERVER-CHILD-1: the live process that was noted, whose own file names the port on which it listens", async () => {
    const port = await listening();
    const { pid } = process;
    expect(liveChild(dir, port, looking)).toBeUndefined();
    await noteChild(dir, pid, markOf(pid) ?? "");
    expect(liveChild(dir, port, looking)).toBeUndefined();
    portsFile(pid, port);
    expect(liveChild(dir, port, looking)).toBe(`${pid} ${markOf(pid)}`);
  });

  test("NATS-SERVER-CHILD-1: a dead server's note and file prove nothing, whoever has the port", async () => {
    const port = await listening();
    const pid = sleeper();
    await noteChild(dir, pid, markOf(pid) ?? "");
    portsFile(pid, port);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => markOf(pid)).toBeUndefined();
    expect(liveChild(dir, port, looking)).toBeUndefined();
  });

  test("NATS-SERVER-CHILD-1: nor does a later process with the dead one's number, even one that listens there", async () => {
    const port = await listening();
    const { pid } = process;
    await noteChild(dir, pid, "the mark of an earlier process");
    portsFile(pid, port);
    expect(liveChild(dir, port, looking)).toBeUndefined();
  });

  test("NATS-SERVER-CHILD-1: nor does a live server that has let the port go, while another has it", async () => {
    const port = await listening();
    const pid = sleeper();
    await noteChild(dir, pid, markOf(pid) ?? "");
    portsFile(pid, port);
    expect(liveChild(dir, port, looking)).toBeUndefined();
    // Where the kernel does not say who listens, the server's word counts.
    expect(liveChild(dir, port, { markOf, listensOn: () => undefined })).toBe(`${pid} ${markOf(pid)}`);
  });

  property.prop([
    fc.record({
      noted: fc.constantFrom(7, 7, 7, 7, 1, 8),
      mark: fc.constantFrom("m", "m", "m", "m", "", "n"),
      runs: fc.constantFrom("m", "m", "m", "m", undefined, "n"),
      file: fc.constantFrom(
        ...Array<string>(4).fill("nats-server_7.ports"),
        ...["x_8.ports", "nats-server_77.ports", "7.ports"],
      ),
      text: fc.constantFrom(
        ...Array<string>(6).fill('{"nats":["nats://127.0.0.1:4281"]}'),
        '{"nats":["nats://127.0.0.1:4282"]}',
        '{"nats":["nats://127.0.0.1:42811"]}',
        '{"monitoring":["nats://127.0.0.1:4281"]}',
        '{"nats":"nats://127.0.0.1:4281"}',
        '{"nats":["nats://127.0',
        "null",
      ),
      listens: fc.constantFrom(true, false, undefined),
    }),
  ])(
    "NATS-SERVER-CHILD-1: all of it must fit: number, mark, file, port and kernel",
    async ({ noted, mark, runs, file, text, listens }) => {
      await forgetChild(dir);
      await noteChild(dir, noted, mark);
      writeFileSync(join(dir, file), text);
      const told = liveChild(dir, 4281, { markOf: () => runs, listensOn: () => listens });
      const fits =
        noted > 1 &&
        mark !== "" &&
        mark === runs &&
        file.endsWith(`_${noted}.ports`) &&
        text === '{"nats":["nats://127.0.0.1:4281"]}' &&
        listens !== false;
      expect(told).toBe(fits ? `${noted} ${mark}` : undefined);
    },
  );
});

describe("what is left of an earlier server", () => {
  test("NATS-SERVER-CHILD-2: the next server starts without any ports file, so its number meets none of an earlier one", async () => {
    const options = await privateOptions(dir);
    for (const pid of [7, 4_000_000]) portsFile(pid, 4281);
    const program = join(dir, "nats-server");
    // Looks around before it does anything, and ends.
    writeFileSync(program, `#!/bin/sh\nls '${dir}' > '${dir}/seen'\nexit 1\n`, { mode: 0o755 });
    const binary = { path: program, version: "2.9.10" };
    await expect(runPrivateServer({ ...options, binary })).rejects.toMatchObject({ code: "NATS_NOT_UP" });
    expect(readFileSync(join(dir, "seen"), "utf8")).not.toMatch(/\.ports/);
  });

  test("NATS-SERVER-CHILD-2: a server that is asked to end is believed no more, while it still listens", async () => {
    const server = await runPrivateServer(await privateOptions(dir));
    expect(liveChild(dir, server.port, looking)).toMatch(new RegExp(`^${serverPidIn(dir)} `));
    // It stands still, so it cannot end by itself before it was looked at.
    process.kill(serverPidIn(dir), "SIGSTOP");
    const stopped = server.stop();
    await expect.poll(() => liveChild(dir, server.port, looking)).toBeUndefined();
    expect(listensOn(serverPidIn(dir), server.port)).not.toBe(false);
    process.kill(serverPidIn(dir), "SIGCONT");
    await stopped;
    expect(readdirSync(dir).filter((name) => name === "child" || name.endsWith(".ports"))).toEqual([]);
  });
});
