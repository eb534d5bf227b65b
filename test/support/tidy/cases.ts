// Cases
// Each rule with a small tree that keeps it, and trees that barely break it.
//
//   Owns:          the rules' names and fixtures.
//   Does not own:  the rules.

import { homedir } from "node:os";
import { dirname } from "node:path";
import { floors } from "./floors.ts";
import { importDirection, namedExports, noCycles, noDeadExports, noDeadFiles, type Rule } from "./imports.ts";
import {
  documentsNameFiles,
  noHostsInLock,
  noLeftovers,
  noMachinePaths,
  noSkippedTests,
  oneKeyBuilder,
  oneSubjectBuilder,
  opensWithComment,
  portedRuntime,
  pureMachines,
  smallFiles,
  smallFunctions,
  storeIsDrawn,
} from "./words.ts";

export const ROOT = dirname(dirname(dirname(import.meta.dirname)));

/** A checkout directly under `/` has a name too short to tell from other paths. */
const places = [homedir(), ROOT].filter(
  (place) => place.length > 1 && (place === homedir() || place.lastIndexOf("/") > 0),
);

export interface Case {
  readonly claim: string;
  readonly rule: Rule;
  /** The rule for this tree, if a small tree needs another. */
  readonly here?: Rule;
  readonly kept: Readonly<Record<string, string>>;
  /** One more file, and the place that the rule reports. */
  readonly broken: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const leftover = ["TO", "DO"].join("");

export const CASES: readonly Case[] = [
  {
    claim: "machines import xstate, the runtime machines, adapters both; adapters never one another",
    rule: importDirection,
    kept: {
      "machines/a.ts": 'import { setup } from "xstate";\nimport type { B } from "./b.ts";',
      "machines/b.ts": "export interface B { readonly b: 1 }",
      "runtime/c.ts": 'import { hash } from "node:crypto";\nimport "../machines/a.ts";',
      "adapters/lmdb/d.ts": 'import { open } from "lmdb";\nimport "../../runtime/c.ts";\nimport "./e.ts";',
      "adapters/lmdb/e.ts": 'import "../../machines/a.ts";',
      "adapters/http/f.ts": "",
      "adapters/compose.ts": 'import "./lmdb/d.ts";\nimport "./http/f.ts";',
      "test/g.test.ts": 'import "../adapters/http/f.ts";\nimport "../machines/a.ts";',
    },
    broken: {
      "machines/z.ts:1": { "machines/z.ts": 'import { hash } from "node:crypto";' },
      "machines/z.ts:2": { "machines/z.ts": 'import "./a.ts";\nimport type { C } from "../runtime/c.ts";' },
      "runtime/z.ts:1": { "runtime/z.ts": 'const lmdb = await import("../adapters/lmdb/d.ts");' },
      "adapters/http/z.ts:1": { "adapters/http/z.ts": 'export { e } from "../lmdb/e.ts";' },
      "adapters/lmdb/z.ts:1": { "adapters/lmdb/z.ts": 'import "../compose.ts";' },
      "runtime/y.ts:1": { "runtime/y.ts": 'import "../test/g.test.ts";' },
      "adapters/lmdb/y.ts:1": { "adapters/lmdb/y.ts": 'import "./gone.ts";' },
    },
  },
  {
    claim:
      "a room of the runtime imports from lower floors: gate, door, reading, engine, outbound, turn, rows, runtime itself",
    rule: floors,
    kept: { "runtime/rows/keys.ts": "", "runtime/turn/turn.ts": 'import "../rows/keys.ts";' },
    broken: {
      "runtime/config.ts:1": { "runtime/config.ts": 'import "./rows/keys.ts";' },
      "runtime/rows/z.ts:1": { "runtime/rows/z.ts": 'import type { T } from "../turn/turn.ts";' },
      "runtime/cellar/z.ts": { "runtime/cellar/z.ts": "" },
    },
  },
  {
    claim: "no file imports itself by way of others, not even a type",
    rule: noCycles,
    kept: {
      "machines/a.ts": 'import type { B } from "./b.ts";\nimport { type C, c } from "./c.ts";',
      "machines/b.ts": "",
      "machines/c.ts": "",
      "test/d.ts": 'spawn("e.ts");',
      "test/e.ts": 'import "./d.ts";',
    },
    broken: {
      "machines/a.ts → machines/b.ts → machines/a.ts": { "machines/b.ts": 'import { a } from "./a.ts";' },
      "machines/a.ts → machines/c.ts →": { "machines/c.ts": 'import type { A } from "./a.ts";' },
      "machines/z.ts → machines/z.ts": { "machines/z.ts": 'export { z } from "./z.ts";' },
    },
  },
  {
    claim: "every file is reached from an entry point or a test",
    rule: noDeadFiles,
    kept: {
      "package.json":
        '{ "bin": { "x": "./dist/adapters/main.js" }, "scripts": { "bench": "tsx bench/run.ts" } }',
      "adapters/main.ts": 'import "../runtime/a.ts";',
      "runtime/a.ts": 'import type { B } from "./b.ts";',
      "runtime/b.ts": "",
      "bench/run.ts": "",
      "test/a.test.ts": 'import "./support/child-starter.ts";',
      "test/support/child-starter.ts": 'spawn(join(import.meta.dirname, "child.ts"));',
      "test/support/child.ts": "",
      "vitest.config.ts": "",
    },
    broken: {
      "runtime/z.ts is used by nothing": { "runtime/z.ts": 'import "./a.ts";' },
      "test/support/z.ts is used by nothing": { "test/support/z.ts": "" },
    },
  },
  {
    claim: "what a file exports another one imports; the doors of the layers are for others",
    rule: noDeadExports,
    kept: {
      "machines/a.ts":
        "export interface Shown { readonly n: number }\nexport const a = (shown: Shown) => shown;",
      "machines/index.ts": 'export { a } from "./a.ts";\nexport const door = 1;',
      "runtime/b.ts": "export const one = 1, two = 2;",
      "runtime/c.ts": 'import * as b from "./b.ts";',
      "test/d.test.ts": 'import { a as b } from "../machines/a.ts";',
    },
    broken: {
      "machines/z.ts:2": { "machines/z.ts": "const z = 1;\nexport const y = z;" },
      "machines/y.ts:1": { "machines/y.ts": "export interface Alone { readonly n: number }" },
      "runtime/z.ts:1": { "runtime/z.ts": "export function used(): void { used(); }" },
    },
  },
  {
    claim: "every export is named where it stands; only config files have a default one",
    rule: namedExports,
    kept: { "vitest.config.ts": "export default {};", "runtime/a.ts": 'export { b as c } from "./b.ts";' },
    broken: {
      "runtime/z.ts:1": { "runtime/z.ts": 'export * from "./a.ts";' },
      "runtime/y.ts:2": { "runtime/y.ts": "\nexport default function y() {}" },
      "runtime/x.ts:1": { "runtime/x.ts": 'export * as a from "./a.ts";' },
    },
  },
  {
    claim: "machines read no clock, draw no lots, wait for nothing",
    rule: pureMachines,
    kept: {
      "machines/a.ts":
        "export const at = (event: { Date: number; setTimeout: 1 }) => new Date(event.Date).getTime();",
      "runtime/a.ts": "await setTimeout(() => undefined, Date.now());",
    },
    broken: {
      "machines/z.ts:1": { "machines/z.ts": "export const z = Date.now();" },
      "machines/y.ts:1": { "machines/y.ts": "export const y = new Date();" },
      "machines/x.ts:2": { "machines/x.ts": "\nconst later = setTimeout;" },
      "machines/w.ts:1": { "machines/w.ts": "export async function w() {}" },
      "machines/v.ts:1": { "machines/v.ts": "const v = process.env;" },
      "machines/u.ts:1": { "machines/u.ts": "const u = crypto.randomUUID();" },
    },
  },
  {
    claim: "the runtime asks its ports for time and ids, and never ends the process",
    rule: portedRuntime,
    kept: {
      "runtime/a.ts": "export const iso = (at: number) => new Date(at).toISOString();",
      "adapters/system/clock.ts": "export const now = () => Date.now();",
    },
    broken: {
      "runtime/z.ts:1": { "runtime/z.ts": "const z = { now: Date.now };" },
      "runtime/y.ts:1": { "runtime/y.ts": "const y = Math.random();" },
      "runtime/x.ts:1": { "runtime/x.ts": "process.exit(1);" },
      "runtime/w.ts:1": { "runtime/w.ts": "const w = performance.now();" },
    },
  },
  {
    claim: "a file says first what it is",
    rule: opensWithComment,
    kept: {
      "runtime/a.ts": "// A\n",
      "adapters/main.ts": "#!/usr/bin/env node\n// Main\n",
      "test/a.test.ts": "",
    },
    broken: {
      "runtime/z.ts": { "runtime/z.ts": '\n// Z\nimport "./a.ts";' },
      "bench/y.ts": { "bench/y.ts": "//\n" },
      "test/support/x.ts": { "test/support/x.ts": "/* X */" },
    },
  },
  {
    claim: "no file has more than 300 lines",
    rule: smallFiles,
    kept: { "test/a.test.ts": "a();\n".repeat(300) },
    broken: { "test/z.test.ts has 301": { "test/z.test.ts": "a();\n".repeat(301) } },
  },
  {
    claim: "no function has more than 70 lines",
    rule: smallFunctions,
    kept: {
      "runtime/a.ts": `function a() {\n${"a();\n".repeat(68)}}`,
      "test/a.test.ts": `function a() {\n${"a();\n".repeat(90)}}`,
    },
    broken: {
      "runtime/z.ts:1": { "runtime/z.ts": `function z() {\n${"z();\n".repeat(69)}}` },
      "runtime/y.ts:2": { "runtime/y.ts": `class Y {\n  y = () => {\n${"y();\n".repeat(69)}}\n}` },
    },
  },
  {
    claim: "nothing is left to do",
    rule: noLeftovers,
    kept: { "runtime/a.ts": `// ${leftover.toLowerCase()}s are data here, and ${leftover}_LIST is a name` },
    broken: { "docs/z.md:2": { "docs/z.md": `# Z\n${leftover}: write this` } },
  },
  {
    claim: "every test runs",
    rule: noSkippedTests,
    kept: {
      "test/a.test.ts":
        'test.each([1])("a", () => undefined);\nskip.only("b");\nit.runIf(true)("c", () => undefined);',
    },
    broken: {
      "test/z.test.ts:1": { "test/z.test.ts": 'it.skip("z", () => undefined);' },
      "test/y.test.ts:1": { "test/y.test.ts": 'describe.each([1]).only("y", () => undefined);' },
      "test/x.contract.ts:2": { "test/x.contract.ts": '\ntest.only("x", () => undefined);' },
    },
  },
  {
    claim: "store keys are built in one place",
    rule: oneKeyBuilder,
    kept: {
      "runtime/rows/keys.ts":
        "export const keys = { actor: (a: string) => `actor/${a}`, all: `actor/`, seen: `seen/` };",
      "runtime/a.ts":
        'import { b } from "./actor/b.ts";\nconst c = "actors/", d = `x-actor/${b}`, e = "actor";',
      "machines/a.ts": 'const book = "actor/";',
    },
    broken: {
      "runtime/z.ts:1": { "runtime/z.ts": "const z = (id: string) => `actor/${id}`;" },
      "adapters/lmdb/y.ts:1": { "adapters/lmdb/y.ts": 'const y = "seen/" + 1;' },
    },
  },
  {
    claim: "documents speak of files that are there",
    rule: documentsNameFiles,
    kept: { "docs/a.md": "See `a.ts`, `runtime/a.ts`, `npm test` and b.ts.", "runtime/a.ts": "" },
    broken: {
      "docs/z.md:2": { "docs/z.md": "\nSee `runtime/gone.ts`." },
      "docs/y.md:1": { "docs/y.md": "See `untime/a.ts`." },
    },
  },
  {
    claim: "the page about the store shows every kind of row",
    rule: storeIsDrawn,
    kept: {
      "runtime/rows/keys.ts":
        'export const keys = { meta: "meta", a: (n: number) => `actor/${n}`, all: "actor/" };',
      "docs/store.md": "| `meta` | `actor/<n>` |",
    },
    broken: {
      "what change rows are": {
        "runtime/rows/keys.ts": '  meta: "meta",\n  a: (n: number) => `change/${n}`,\n',
      },
      "what meta rows are": { "docs/store.md": "| `metal` | `actor/<n>` |" },
    },
  },
  {
    claim: "subjects are built in one place",
    rule: oneSubjectBuilder,
    kept: {
      "runtime/rows/subjects.ts": "const a = (id: string) => `signalbox.v1.state.${id}`;",
      "adapters/nats/a.ts": 'const a = "signalbox";',
    },
    broken: {
      "adapters/nats/z.ts:1": { "adapters/nats/z.ts": 'const z = "signalbox.v1.in.>";' },
      "runtime/rows/changes.ts:1": { "runtime/rows/changes.ts": 'const z = "signalbox.v1";' },
    },
  },
  {
    claim: "the lock file names no host",
    rule: noHostsInLock,
    kept: {
      "package-lock.json": '"funding": "https://example.org/sponsor",\n"resolved": "file:packages/a",',
    },
    broken: {
      "package-lock.json:1": { "package-lock.json": '"resolved": "https://example.org/a-1.0.0.tgz",' },
      "package-lock.json:2": { "package-lock.json": '\n"a": "http://localhost:4873/a"' },
    },
  },
  {
    claim: "nothing in the tree names the machine it was made on",
    rule: noMachinePaths(["/srv/build/line"]),
    here: noMachinePaths(places),
    kept: { "docs/a.md": "See /srv/build/lines, ./srv/build/line/a and ../share." },
    broken: {
      "docs/z.md:1": { "docs/z.md": "See /srv/build/line/docs." },
      "docs/y.json:2": { "docs/y.json": '{\n"a": "/srv/build/line/b" }' },
      "docs/x.md:1": { "docs/x.md": ["..", "shared", "design.md"].join("/") },
    },
  },
];
