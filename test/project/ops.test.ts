// Operating
// The files of ops/nats are what the documentation shows, and the only ones it speaks of.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

test("G11: docs/reference/nats.md shows the shipped configuration of the server, word for word", () => {
  const [, shown] = /^```text\n([^]*?)^```$/m.exec(read("docs/reference/nats.md")) ?? [];
  const include = 'include "accounts.conf"\n';
  const config = read("ops/nats/nats.conf");
  expect(config).toContain(include);
  expect(shown).toBe(config.replace(include, () => read("ops/nats/accounts.conf")));
});

test("G11: each of its passwords is named where it is made: in the README beside it, in the first hour, for compose", () => {
  const names = [...read("ops/nats/accounts.conf").matchAll(/\$([A-Z]+)_PASSWORD/g)].map(
    ([, name = ""]) => name,
  );
  expect(names).toHaveLength(4);
  const list = `for name in ${names.join(" ")}; do`;
  expect(read("ops/nats/README.md")).toContain(list);
  expect(read("docker-compose.yml")).toContain(list);
  for (const name of names) expect(read("docs/start/first-hour.md")).toContain(`${name}_PASSWORD=`);
});
