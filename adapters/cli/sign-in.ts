// Sign-in
// Gets a link from the engine that signs one browser in, and prints it, draws it as a QR code, or opens it.
//
//   Owns:          the address in the sign-in link, how the link is shown.
//   Does not own:  the one-time code in the link (the engine).
//
// CLI-SIGN-IN-1. A sign-in link contains no token, but a code that works once, within five minutes.
// CLI-SIGN-IN-2. No program gets a sign-in link as an argument, which every account could read. Instead the browser opens a
//     page in the data folder, which leads to the link.

import type { ListedToken } from "../../runtime/access-token.ts";
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { Client, succeeded } from "./client.ts";
import { as } from "./connection.ts";
import { Failure } from "./failures/failure.ts";
import { runningOn } from "./running.ts";
import type { Folder, Opener } from "./wiring.ts";

const MADE = z.looseObject({
  code: z.string(),
  expiresAt: z.number(),
  /** The engine's address for programs on the same machine. */
  here: z.string(),
  origins: z.array(z.string()),
});
/** Matches an address at a panel name (`*.localhost`), which is of no use on other devices: each takes the name for itself. */
const NEAR = /^http:\/\/[^/:]+\.localhost(:|$)/;

const AGAIN_MS = 250;
const TURNS = 20;

export interface SignIn {
  readonly link: string;
  readonly expiresAt: number;
}

/**
 * @param where `here` for a browser on this machine, `elsewhere` for another device, or an origin of the engine. If the command
 * reached the engine by https, the link for `here` has that https address: the engine may be on another machine, and a program
 * at the same port of this machine would get the code. @throws Failure
 */
export async function signIn(client: Client, where: string): Promise<SignIn> {
  const { body } = succeeded(await client.send("POST", "/v1/sign-in-links", { body: {} }));
  const { code, expiresAt, here, origins } = MADE.parse(body);
  const found =
    where === "here"
      ? client.url.startsWith("https:")
        ? origins.find((origin) => origin === new URL(client.url).origin)
        : here
      : where === "elsewhere"
        ? origins.find((origin) => !NEAR.test(origin))
        : origins.find((origin) => origin === where);
  if (found === undefined) throw where === "elsewhere" ? onlyHere() : notOurs(where, origins);
  const link = new URL("/", found);
  link.searchParams.set("code", code);
  return { link: link.href, expiresAt };
}

/**
 * First waits until the engine has read the token, which may be new: when the engine reads a new token, the user's earlier
 * links end. @param opens what the token gives access to. @throws Failure if no engine runs, or the engine does not read the
 * token in time.
 */
export async function signInAs(
  folder: Folder,
  token: string,
  where: string,
  opens: Pick<ListedToken, "parts" | "workspaces">,
): Promise<SignIn> {
  const [url, exchange] = [await runningOn(folder), await folder.engine()];
  if (url === undefined || exchange === undefined)
    throw new Failure(
      "No engine runs, so there is no link yet.",
      "Start an engine, and add the token again.",
    );
  const client = new Client(as(token, exchange), url, "the token");
  for (let turn = 0; turn < TURNS; turn += 1) {
    const answer = await client.send("GET", "/v1/me").catch(() => undefined);
    if (answer?.status === 200 && grantIn(answer.body) === grantIn(opens)) break;
    await sleep(AGAIN_MS);
  }
  return signIn(client, where);
}

const ME = z.looseObject({ parts: z.array(z.string()), workspaces: z.array(z.string()).optional() });

function grantIn(said: unknown): string {
  const { parts, workspaces } = ME.parse(said);
  return JSON.stringify([parts, workspaces]);
}

/** @returns lines to print: light on dark, with the border that QR readers need. */
export async function qrLines(link: string): Promise<readonly string[]> {
  const { default: encodeQR } = await import("qr");
  return encodeQR(link, "ascii", { ecc: "low", border: 2 }).trimEnd().split("\n");
}

/** CLI-SIGN-IN-2. Opens the link in the user's browser. @returns false if no browser can be opened. */
export async function openLink(link: string, env: NodeJS.ProcessEnv, opener: Opener): Promise<boolean> {
  const hasScreen = process.platform === "darwin" || env["DISPLAY"] || env["WAYLAND_DISPLAY"];
  const program = env["BROWSER"] || (process.platform === "darwin" ? "open" : "xdg-open");
  if (!hasScreen && !env["BROWSER"]) return false;
  try {
    await opener.write(leadingTo(link));
  } catch {
    return false;
  }
  return new Promise((resolve) => {
    const child = spawn(program, [opener.path], { stdio: "ignore", detached: true });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}

/** @param link the link, as URL serialises it, so that it cannot end the HTML attribute. */
const leadingTo = (link: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${link}">
<title>Signalbox</title>
<p><a href="${link}">Open Signalbox</a>
`;

const onlyHere = (): Failure =>
  new Failure(
    "The engine can be reached from this machine only.",
    "Start the engine with `npx signalbox up --public --name HOST`, or behind a proxy with --name https://HOST.",
  );

const notOurs = (where: string, origins: readonly string[]): Failure =>
  new Failure(
    `The engine cannot be reached at ${where}.`,
    `The engine's addresses are ${origins.join(", ")}.`,
  );
