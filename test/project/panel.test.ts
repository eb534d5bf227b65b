// Panel: places
// What belongs to each view and to each style of the page, and is found by no compiler.

import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const PAGE = join(ROOT, "adapters", "panel", "page");
const read = (...path: readonly string[]): string => readFileSync(join(...path), "utf8");

const [, routes = ""] = /export type Route =([^]*?);\n\nconst/.exec(read(PAGE, "route.ts")) ?? [];
const views = [...routes.matchAll(/readonly view: "(\w+)"/g)].map(([, name = ""]) => name);

it.each([
  "test/adapters/panel/views.test.ts",
  "test/adapters/panel/reflow.test.ts",
  "test/support/panel/pictures.ts",
])("Panel: every view of the page is looked at in %s", (path) => {
  const text = read(ROOT, path);
  expect(views.length).toBeGreaterThan(5);
  expect(views.filter((view) => !text.includes(`#/${view}`))).toEqual([]);
});

it("Panel: the search leads to every view that is no part of a session", () => {
  const text = read(PAGE, "search", "commands.ts");
  const alone = views.filter((view) => view !== "session" && view !== "machine");
  expect(alone.filter((view) => !text.includes(`goTo({ view: "${view}" })`))).toEqual([]);
});

it("Panel, LOOK-STYLE-1: every style in the page's folders is in the page's own, or is bundled and loaded by its view", () => {
  const text = read(PAGE, "app.css");
  const bundle = read(PAGE, "..", "bundle.ts");
  const isLater = (path: string): boolean => {
    const name = basename(path, ".css");
    const entry = `{ in: here("./page/${path}"), out: "${name}" }`;
    const view = read(PAGE, dirname(path), `${name}.tsx`);
    return bundle.includes(entry) && view.includes(`await styled("${name}")`);
  };
  const styles = readdirSync(PAGE, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".css"),
  );
  const alone = styles.filter((path) => path !== "app.css" && !text.includes(`@import "./${path}";`));
  const importsOf = (path: string): readonly string[] =>
    [...read(PAGE, path).matchAll(/@import "(.+?)";/g)].map(([, to = ""]) => join(dirname(path), to));
  const shared = new Set(alone.filter(isLater).flatMap(importsOf));
  expect(alone.filter((path) => !shared.has(path) && !isLater(path))).toEqual([]);
});
