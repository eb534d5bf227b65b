// Browser
// A real Chromium without a window, as the system provides it.
//
//   Owns:          finding it, installing it if that is allowed, starting it.
//   Does not own:  what is looked at (panel).

import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const MAC = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome";
const isRoot = process.getuid?.() === 0;

/** @throws Error that says how to get one, if there is none. */
export async function startBrowser(): Promise<Browser> {
  const found = findBrowser() ?? installed();
  if (found === undefined)
    throw new Error(
      `These tests look at the panel in Chromium, and there is none: none of ${NAMES.join(", ")} is on the PATH. ` +
        "Install Chromium or Chrome, or set CHROMIUM_BIN to one.",
    );
  // Chromium's sandbox does not work for root; for everybody else it stays on.
  return chromium.launch({ executablePath: found, args: isRoot ? ["--no-sandbox"] : [] });
}

function findBrowser(): string | undefined {
  const named = process.env["CHROMIUM_BIN"];
  if (named !== undefined && named !== "") return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))), MAC].find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Run as root, as in a container, tests may change the machine. Several test files wait for one another. */
function installed(): string | undefined {
  if (!isRoot) return undefined;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const lock = ["-o", "DPkg::Lock::Timeout=300"];
  spawnSync("apt-get", [...lock, "update", "-qq"], { env });
  spawnSync("apt-get", [...lock, "install", "-y", "-qq", "--no-install-recommends", "chromium"], { env });
  return findBrowser();
}
