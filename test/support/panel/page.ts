// Panel
// The panel in a real browser, on an engine with a folder of its own.
//
//   Owns:          signing in, watching for what must never happen on the page, screenshots.
//   Does not own:  what is done on it.
//
// Every page is watched. A dialog, an error, a violation of the page's policy, a script that ran from data, or a
// request to anywhere but the engine is noted, and `troubles` must be empty at the end of a test.

import { setTimeout as sleep } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { createEngine, type CreateEngineOptions, type SignalboxEngine } from "../../../adapters/index.ts";
import { startBrowser } from "./browser.ts";
import { linkAt } from "../http/signed-in.ts";
import { build } from "../processes/program.ts";

/** Put into the page before any of its own scripts. Payloads of the tests call `pwned`. */
const WATCH = `
  globalThis.pwned = (why) => console.error("a script ran: " + why);
  addEventListener("securitypolicyviolation", (event) =>
    console.error("policy violated: " + event.violatedDirective + " " + event.blockedURI + " " + event.sample));
`;

/** The browser logs this for every failed request; the tests check the engine's answers themselves. */
const isOfNetwork = (text: string): boolean => text.startsWith("Failed to load resource");

export interface Standing {
  readonly url: string;
  readonly token: string;
}

/** Pages in one browser. */
export class Windows {
  #browser: Browser | undefined;
  /** Of the panels that pages were signed in at. */
  readonly #origins = new Set<string>();
  readonly troubles: string[] = [];

  /** Builds the program that serves the page, and starts the browser. */
  async start(): Promise<void> {
    await build();
    this.#browser = await startBrowser();
  }

  /** A page of its own at an address of the panel, once what `sign` selects is there. */
  async openAt(standing: Standing, address: string, sign: string, options = {}): Promise<Page> {
    const page = await this.open(standing, options);
    await page.goto(`/${address}`);
    await page.locator(sign).first().waitFor();
    return page;
  }

  /** Pages may lead there, and come back. */
  allow(origin: string): void {
    this.#origins.add(origin);
  }

  /** A window of its own, signed in by a link. Addresses that begin with a slash are the panel's. */
  async open(standing: Standing, options: BrowserContextOptions = {}): Promise<Page> {
    if (!this.#browser) throw new Error("A window is opened before the browser was started.");
    const link = await this.#linkTo(standing);
    const baseURL = new URL(link).origin;
    const viewport = { width: 1280, height: 900 };
    const context = await this.#browser.newContext({ viewport, baseURL, ...options });
    context.setDefaultTimeout(15_000);
    await context.addInitScript(WATCH);
    const page = await context.newPage();
    page.on("dialog", (dialog) => {
      this.troubles.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("pageerror", (error) => this.troubles.push(`an error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !isOfNetwork(message.text())) this.troubles.push(message.text());
    });
    page.on("request", (request) => {
      if (!this.#origins.has(new URL(request.url()).origin))
        this.troubles.push(`asked elsewhere: ${request.url()}`);
    });
    await page.goto(link);
    await page.locator(".link.live").waitFor();
    return page;
  }

  /** Signs a page in again, such as at the next start of its engine, where the panel has another name. */
  async signIn(page: Page, standing: Standing): Promise<void> {
    await page.goto(await this.#linkTo(standing));
  }

  /** A proxy's origin takes tokens. */
  async #linkTo({ url, token }: Standing): Promise<string> {
    const link = url.startsWith("https:") ? `${url}/?token=${token}` : await linkAt(url, token);
    this.#origins.add(new URL(link).origin);
    return link;
  }

  async close(): Promise<void> {
    await this.#browser?.close();
  }
}

interface Running {
  readonly engine: SignalboxEngine;
  readonly dir: string;
  readonly token: string;
}

/** An engine and the events sent to it. */
export class Line {
  #running: Running | undefined;
  #sent = 0;
  /** Time between two events, so that they look as in a real session. */
  paceMs = 0;

  async start(
    options: Pick<CreateEngineOptions, "cedar" | "configuration" | "fileLines"> = {},
  ): Promise<void> {
    const dir = mkdtempSync(join(tmpdir(), "signalbox-panel-"));
    const token = randomUUID();
    const engine = await createEngine({ dataDir: dir, port: 0, token, ...options });
    this.#running = { engine, dir, token };
    this.#sent = 0;
  }

  get engine(): SignalboxEngine {
    return this.#now.engine;
  }

  get url(): string {
    return this.engine.url ?? "";
  }

  get token(): string {
    return this.#now.token;
  }

  get #now(): Running {
    if (!this.#running) throw new Error("The line's engine is used before it was started.");
    return this.#running;
  }

  /** @param subject workspace and session. */
  async emit(subject: string, ...events: readonly (readonly [type: string, data: object])[]): Promise<void> {
    if (this.paceMs === 0) return this.#emit(subject, events);
    for (const event of events) {
      await this.#emit(subject, [event]);
      await sleep(this.paceMs);
    }
  }

  async #emit(subject: string, events: readonly (readonly [type: string, data: object])[]): Promise<void> {
    const envelopes = events.map(([type, data]) => {
      this.#sent += 1;
      return { specversion: "1.0", id: `e${this.#sent}`, source: "test", type, subject, data };
    });
    const { taken } = await this.engine.send(envelopes);
    const not = taken.filter((each) => "refused" in each || each.reply.outcome === "rejected");
    if (not.length > 0) throw new Error(`Not taken: ${JSON.stringify(not)}`);
  }

  /** The engine's answer to a reader with its token. Its shape is that of docs/reference/openapi.yaml. */
  async read<T>(path: string): Promise<T> {
    const answer = await fetch(this.url + path, { headers: { Authorization: `Bearer ${this.token}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** The same to one who sends a body. */
  async send<T>(path: string, body: object): Promise<T> {
    const headers = { Authorization: `Bearer ${this.token}`, "Content-Type": "application/json" };
    const answer = await fetch(this.url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  async stop(): Promise<void> {
    const { engine, dir } = this.#now;
    await engine.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

const SHOTS = process.env["SCREENSHOTS"] ?? join(tmpdir(), "signalbox-screenshots");

/** Kept outside of the tree, for people to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), animations: "disabled" });
}
