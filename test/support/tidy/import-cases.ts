// Import cases
// Each rule about imports and exports, with a small tree that keeps it, and files that barely break it.
//
//   Owns:          those rules' names and fixtures.
//   Does not own:  the rules (imports.ts, floors.ts), the other cases (cases.ts).

import type { Case } from "./case.ts";
import { floors } from "./floors.ts";
import {
  browserless,
  importDirection,
  namedExports,
  noCycles,
  noDeadExports,
  noDeadFiles,
} from "./imports.ts";

export const IMPORT_CASES: readonly Case[] = [
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
      "adapters/composition/compose.ts": 'import "../lmdb/d.ts";\nimport "../http/f.ts";',
      "adapters/main.ts": 'import "./composition/compose.ts";\nimport "./lmdb/d.ts";',
      "test/g.test.ts": 'import "../adapters/http/f.ts";\nimport "../machines/a.ts";',
    },
    broken: {
      "machines/z.ts:1": { "machines/z.ts": 'import { hash } from "node:crypto";' },
      "machines/z.ts:2": { "machines/z.ts": 'import "./a.ts";\nimport type { C } from "../runtime/c.ts";' },
      "runtime/z.ts:1": { "runtime/z.ts": 'const lmdb = await import("../adapters/lmdb/d.ts");' },
      "adapters/http/z.ts:1": { "adapters/http/z.ts": 'export { e } from "../lmdb/e.ts";' },
      "adapters/lmdb/z.ts:1": { "adapters/lmdb/z.ts": 'import "../composition/compose.ts";' },
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
    claim:
      "no file outside of the panel's page imports a part of it that knows Preact, not even by way of others",
    rule: browserless,
    kept: {
      "adapters/panel/page/a.ts": 'import "./b.ts";',
      "adapters/panel/page/b.ts": "",
      "adapters/panel/page/c.tsx": 'import { useState } from "preact/hooks";',
      "test/a.test.ts": 'import "../adapters/panel/page/a.ts";\nspawn("../adapters/panel/page/c.tsx");',
    },
    broken: {
      "test/z.test.ts leads to adapters/panel/page/c.tsx": {
        "test/z.test.ts": 'import type { C } from "../adapters/panel/page/c.tsx";',
      },
      "adapters/panel/page/b.ts leads to adapters/panel/page/c.tsx": {
        "adapters/panel/page/b.ts": 'import "./c.tsx";',
      },
    },
  },
];
