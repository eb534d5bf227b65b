// Binary
// A real nats-server for the tests: the configured one, the one on the PATH, else one fetched without root.
//
//   Owns:          finding and fetching it.
//   Does not own:  running it (server.ts).
//
// If there is no server and none can be fetched, the run fails and says what to install; no test is skipped.

import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

let found: Promise<string> | undefined;

/** @returns the path of a nats-server. @throws Error saying what to install. */
export function natsServerBinary(): Promise<string> {
  return (found ??= find());
}

async function find(): Promise<string> {
  const named = process.env["NATS_SERVER_BIN"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  for (const file of [...folders, "/usr/sbin"].map((folder) => join(folder, "nats-server")))
    if (await isExecutable(file)) return file;
  const cached = join(cacheFolder(), "usr", "sbin", "nats-server");
  if (await isExecutable(cached)) return cached;
  await fetchPackage();
  return cached;
}

const cacheFolder = (): string =>
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "signalbox", "nats-server");

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Unpacks the system's own package beside its final place, and moves it there whole: test files run side by side. */
async function fetchPackage(): Promise<void> {
  const target = cacheFolder();
  await mkdir(join(target, ".."), { recursive: true });
  const dir = await mkdtemp(`${target}-`);
  try {
    await run("apt-get", ["download", "nats-server"], { cwd: dir });
    const deb = (await readdir(dir)).find((name) => name.endsWith(".deb"));
    if (deb === undefined) throw new Error("apt-get downloaded nothing");
    await run("dpkg", ["-x", deb, "unpacked"], { cwd: dir });
    await rename(join(dir, "unpacked"), target).catch(async (error: unknown) => {
      if (!(await isExecutable(join(target, "usr", "sbin", "nats-server")))) throw error;
    });
  } catch (error) {
    throw new Error(
      "These tests need a nats-server, and none was found or could be fetched. Install the package nats-server, " +
        "or set NATS_SERVER_BIN to one.",
      { cause: error },
    );
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
