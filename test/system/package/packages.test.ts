// Packages
// What `npm pack` makes, unpacked into empty folders: each page of docs/reference/packages does there what it shows.
//
//   Owns:          the first program of each page, its dependencies, the types, a stranger's store and outlet.
//   Does not own:  the links of packed documents (project/package.test), what doors export (project/api.test).

import { execFileSync, spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outletContract, storeContract } from "../../../runtime/contracts/index.ts";
import { natsServer, type NatsServer } from "../../support/nats/server.ts";
import { build, Desk, type Ended, Started } from "../../support/processes/program.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly dependencies: Readonly<Record<string, string>>;
};

/** What each door loads beside Node, as docs/reference/packages/README.md has it. */
const LOADS: Readonly<Record<string, readonly string[]>> = {
  signalbox: Object.keys(manifest.dependencies),
  "signalbox/agent-sdk": [],
  "signalbox/client": ["nats", "uuid"],
  "signalbox/contracts": [],
  "signalbox/request-tracker": ["zod", "xstate"],
};
const PAGE = {
  signalbox: "signalbox",
  agent: "agent-sdk",
  client: "client",
  contracts: "contracts",
  tracker: "request-tracker",
} as const;

let dir: string;
const unpacked = (): string => join(dir, "node_modules", "signalbox");
let server: NatsServer;
let desk: Desk;

beforeAll(async () => {
  await build();
  dir = mkdtempSync(join(tmpdir(), "signalbox-packages-"));
  const args = ["pack", "--ignore-scripts", "--silent", "--pack-destination", dir];
  const name = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8" }).trim();
  mkdirSync(unpacked(), { recursive: true });
  execFileSync("tar", ["-xzf", join(dir, name), "-C", unpacked(), "--strip-components", "1"]);
  server = await natsServer();
  desk = new Desk();
  await desk.up("--nats", server.url);
}, 240_000);
afterAll(async () => {
  await desk.clear();
  await server.dispose();
  rmSync(dir, { recursive: true, force: true });
});

/** A new folder that finds the package, and of others only these: there is one unpacked package, and links beside it. */
function folderWith(...others: readonly string[]): string {
  const modules = join(dir, "node_modules");
  for (const name of readdirSync(modules).filter((name) => name !== "signalbox"))
    rmSync(join(modules, name), { recursive: true });
  for (const other of others) {
    mkdirSync(dirname(join(modules, other)), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", other), join(modules, other));
  }
  return mkdtempSync(join(dir, "at-"));
}

const page = (name: string): string =>
  readFileSync(join(unpacked(), "docs", "reference", "packages", `${name}.md`), "utf8");

/** The blocks of a page in a language, in order. */
const blocks = (name: string, language: string): readonly string[] =>
  [...page(name).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm"))].map(
    ([, text = ""]) => text,
  );
const shown = (name: string): string => blocks(name, "text")[0] ?? "";

/** Runs a program in a folder, as `node ARGUMENTS FILE`. */
function started(
  folder: string,
  text: string,
  { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: Record<string, string> } = {},
): Started {
  const file = join(folder, "first.test.mjs");
  writeFileSync(file, text);
  const own = { PATH: process.env["PATH"], HOME: folder, ...env };
  return new Started(spawn(process.execPath, [...args, file], { cwd: folder, env: own }));
}

/** The first program of a page, where it has what its door loads and nothing else. */
function first(name: string, env: Readonly<Record<string, string>> = {}): Started {
  const door = name === PAGE.signalbox ? name : `signalbox/${name}`;
  const [text = ""] = blocks(name, "js");
  expect(text).toContain(`from "${door}";`);
  return started(folderWith(...(LOADS[door] ?? [])), text, { env });
}

const RUNNER = { args: ["--test", "--test-reporter=tap"] } as const;
/** The titles of a TAP report's tests. */
const titlesOf = ({ out }: Ended, kind: "ok" | "not ok"): readonly string[] =>
  [...out.matchAll(new RegExp(`^ *${kind} \\d+ - (.*)$`, "gm"))].map(([, title = ""]) =>
    title.replaceAll("\\#", "#"),
  );

describe("packages", () => {
  it("Docs: each door of the package has a page, and the table says what each loads", () => {
    const doors = Object.keys(manifest.exports).filter((door) => !door.endsWith(".json"));
    expect(doors.map((door) => `signalbox${door.slice(1)}`).toSorted()).toEqual(
      Object.keys(LOADS).toSorted(),
    );
    const names = doors.map((door) => (door === "." ? "signalbox" : door.slice(2)));
    expect(names.toSorted()).toEqual(Object.values(PAGE).toSorted());
    for (const [door, loads] of Object.entries(LOADS)) {
      const [row = ""] = new RegExp(`^\\| \`${door}\` .*$`, "m").exec(page("README")) ?? [];
      const told = [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name);
      expect([door, told]).toEqual([door, door === "signalbox" ? [] : loads]);
    }
  });

  it("Docs: the first program with an engine of its own prints what its page shows", async () => {
    expect(await first(PAGE.signalbox).ended).toEqual({ code: 0, out: shown(PAGE.signalbox), err: "" });
  });

  it("Docs: the first program of a service over NATS prints what its page shows", async () => {
    const ended = await first(PAGE.client, { SIGNALBOX_NATS_URL: server.url }).ended;
    expect(ended).toEqual({ code: 0, out: shown(PAGE.client), err: "" });
  });

  it("Docs: the first program of the Agent SDK waits for an answer, and prints what its page shows", async () => {
    const asking = first(PAGE.agent, { SIGNALBOX_DATA: join(desk.dir, "data") });
    expect((await desk.run(["approve", await desk.waiting()])).code).toBe(0);
    expect(await asking.ended).toEqual({ code: 0, out: shown(PAGE.agent), err: "" });
  });

  it("Docs: the first program of the request tracker prints what its page shows", async () => {
    expect(await first(PAGE.tracker).ended).toEqual({ code: 0, out: shown(PAGE.tracker), err: "" });
  });

  it("REQUEST-TRACKER-1: importing it loads what it names, and nothing that runs an engine, listens or connects", async () => {
    const hook = `import { writeSync } from "node:fs";
      export async function resolve(what, context, next) {
        const found = await next(what, context);
        writeSync(1, found.url + "\\n");
        return found;
      }`;
    const hooked = `import { register } from "node:module"; register(${JSON.stringify(asUrl(hook))});`;
    const folder = folderWith(...(LOADS["signalbox/request-tracker"] ?? []));
    const args = ["--import", asUrl(hooked)];
    const text = 'import "signalbox/request-tracker";';
    const { code, out } = await started(folder, text, { args }).ended;
    expect(code).toBe(0);
    const loaded = [...new Set(out.trim().split("\n"))];
    const pathsIn = (place: string): readonly string[] =>
      loaded.flatMap((url) => (url.includes(place) ? [url.slice(url.indexOf(place) + place.length)] : []));
    const own = pathsIn("/node_modules/signalbox/dist/");
    expect(own.length).toBeGreaterThan(50);
    expect(own.filter((path) => /^adapters\/(?!request-(tracker\.js$|files\/))/.test(path))).toEqual([]);
    expect(
      own.filter((path) => /^runtime\/(engine|door|gate|outbound|turn|line|reading)\//.test(path)),
    ).toEqual([]);
    const others = new Set(pathsIn(`${ROOT}/node_modules/`).map((path) => path.split("/")[0]));
    expect([...others].toSorted()).toEqual(["xstate", "zod"]);
    const nodes = loaded.flatMap((url) => (url.startsWith("node:") ? [url.slice(5)] : []));
    expect(
      nodes.filter((name) => /^(net|http|https|http2|tls|dgram|child_process|worker_threads)$/.test(name)),
    ).toEqual([]);
  });

  it("Docs: types resolve under nodenext, and say what does not fit", { timeout: 300_000 }, () => {
    const folder = folderWith(...Object.keys(manifest.dependencies), "@types/node");
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(folder, "types.ts"), TYPES);
    const options = ["--strict", "--noEmit", "--target", "es2023", "--types", "node"];
    const tsc = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const resolution = ["--module", "nodenext", "--moduleResolution", "nodenext"];
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, [tsc, ...options, ...resolution, ...args], {
        cwd: folder,
        encoding: "utf8",
      });
    expect(run("types.ts")).toBe("");
  });

  it("Docs: a stranger's outlet and store are tried by the contracts, with Node's own test runner", async () => {
    const [outlet = "", store = ""] = blocks(PAGE.contracts, "js");
    const make = () => expect.unreachable("Nothing is made before a case runs.");
    for (const [text, cases] of [
      [outlet, outletContract({ make })],
      [store, storeContract({ make })],
    ] as const) {
      const ended = await started(folderWith(), text, RUNNER).ended;
      expect([titlesOf(ended, "not ok"), ended.code]).toEqual([[], 0]);
      expect(titlesOf(ended, "ok")).toEqual(expect.arrayContaining(cases.map(({ title }) => title)));
    }
  });

  it("CONTRACT-CASE-2: a stranger's store that loses its last commit when it is opened again fails by that claim's name", async () => {
    const [, store = ""] = blocks(PAGE.contracts, "js");
    const edits = [
      [
        "return (this.#epoch =",
        "this.#disk.rows = this.#disk.before ?? this.#disk.rows; return (this.#epoch =",
      ],
      ["this.#disk.rows = rows;", "this.#disk.before = this.#disk.rows; this.#disk.rows = rows;"],
    ] as const;
    const faulty = edits.reduce((text, [from, to]) => {
      expect(text.split(from)).toHaveLength(2);
      return text.replace(from, to);
    }, store);
    const ended = await started(folderWith(), faulty, RUNNER).ended;
    expect(ended.code).toBe(1);
    expect(titlesOf(ended, "not ok").filter((title) => title.includes(": "))).toEqual([
      "G3: what was committed is there after a restart, and nothing else",
      "PORTS-3, G6: once a second has opened the store, every commit of the first fails and changes nothing",
    ]);
  });
});

const asUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;

/** Each door with a name, a type, and what must not fit: a name without types would be anything. */
const TYPES = `
import { createEngine, type SignalboxEngine } from "signalbox";
import { canUseTool, type CanUseTool } from "signalbox/agent-sdk";
import { type Client, connect } from "signalbox/client";
import { type ContractCase, type Outlet, outletContract, type Store, storeContract } from "signalbox/contracts";
import { RequestTracker, type RequestState } from "signalbox/request-tracker";

export const engine: Promise<SignalboxEngine> = createEngine({ port: 0 });
// @ts-expect-error -- a port is a number
export const noEngine = createEngine({ port: "0" });
export const callback: CanUseTool = canUseTool({ timeoutMs: 1_000 });
// @ts-expect-error -- a time is a number
export const noCallback = canUseTool({ timeoutMs: "1" });
export const client: Promise<Client> = connect({ url: "nats://127.0.0.1:4222", workspace: "w", source: "/s" });
// @ts-expect-error -- it needs a workspace
export const noClient = connect({ url: "nats://127.0.0.1:4222", source: "/s" });
export const casesOf = (store: Store, outlet: Outlet): readonly ContractCase[] => [
  ...storeContract({ make: () => ({ store: () => store }) }),
  ...outletContract({ make: () => outlet }),
];
// @ts-expect-error -- a disk has a store
export const noCases = storeContract({ make: () => ({}) });
export const request: Promise<RequestState | null> = new RequestTracker({ stateBaseDir: "." }).getRequest("r1");
// @ts-expect-error -- it needs a folder
export const noTracker = new RequestTracker({});
`;
