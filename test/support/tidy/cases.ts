// Cases
// Each rule with a small tree that keeps it, and trees that barely break it.
//
//   Owns:          the names and fixtures of the rules that look at one file or folder.
//   Does not own:  the rules.

import { homedir } from "node:os";
import { dirname } from "node:path";
import type { Case } from "./case.ts";
import { CLIENT_CASES } from "./client-names.ts";
import { IMPORT_CASES } from "./import-cases.ts";
import { countedRooms, roomyFolders } from "./rooms.ts";
import {
  documentsNameFiles,
  narrowComments,
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

const numbered = Array.from({ length: 26 }, (_, n) => n);
const leftover = ["TO", "DO"].join("");

export const CASES: readonly Case[] = [
  ...IMPORT_CASES,
  ...CLIENT_CASES,
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
    claim: "no comment is wider than 130 characters",
    rule: narrowComments,
    kept: {
      "runtime/a.ts": `// ${"a".repeat(127)}\nconst a = "${"a".repeat(200)}";`,
      "adapters/b.ts": `/**\n * ${"b".repeat(127)}\n */`,
    },
    broken: {
      "runtime/z.ts:1": { "runtime/z.ts": `// ${"z".repeat(128)}` },
      "adapters/y.ts:2": { "adapters/y.ts": `/**\n * ${"y".repeat(128)}\n */` },
    },
  },
  {
    claim: "no folder has more than 25 files, but for the decisions",
    rule: roomyFolders,
    kept: {
      ...Object.fromEntries(numbered.slice(1).map((n) => [`runtime/${n}.ts`, ""])),
      ...Object.fromEntries(numbered.map((n) => [`docs/decisions/${n}.md`, ""])),
      "runtime/rows/keys.ts": "",
    },
    broken: { "runtime has 26 files": { "runtime/z.ts": "" } },
  },
  {
    claim: "the page about the shape counts and names the rooms of the runtime",
    rule: countedRooms,
    kept: {
      "ARCHITECTURE.md": "It has two rooms: `rows/` knows what is stored, `turn/` applies.",
      "runtime/rows/keys.ts": "",
      "runtime/turn/turn.ts": "",
      "runtime/a.ts": "",
    },
    broken: {
      "counts one rooms of 2": {
        "ARCHITECTURE.md": "It has one rooms: `rows/` knows what is stored, `turn/` applies.",
      },
      "leaves out turn/": { "ARCHITECTURE.md": "It has two rooms: `rows/` knows what is stored." },
    },
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
      "docs/reference/store.md": "| `meta` | `actor/<n>` |",
    },
    broken: {
      "what change rows are": {
        "runtime/rows/keys.ts": '  meta: "meta",\n  a: (n: number) => `change/${n}`,\n',
      },
      "what meta rows are": { "docs/reference/store.md": "| `metal` | `actor/<n>` |" },
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
