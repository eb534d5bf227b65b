// Opened
// What docs/reference/http.md says that each part of a token opens: the model that the engine is held against.
//
//   Owns:          reading its table.
//   Does not own:  asking the engine.

import { readFileSync } from "node:fs";
import { type Part, PARTS } from "../../../runtime/access-token.ts";

const PAGE = readFileSync(new URL("../../../docs/reference/http.md", import.meta.url), "utf8");
const [, SECTION = ""] = /## What a token opens\n([\s\S]*?)\n## /.exec(PAGE) ?? [];
const ROUTE = /`((?:GET|POST|DELETE) [^`]+)`/g;

const routesIn = (text: string): readonly string[] =>
  [...text.matchAll(ROUTE)].map(([, route = ""]) => route);

const ROWS = new Map(
  SECTION.split("\n").flatMap((line) => {
    const [, part = "", , routes = ""] = /^\| (`?(\w+)`?) +\| (.+) \|$/.exec(line) ?? [];
    return part === "" ? [] : [[part.replaceAll("`", ""), routesIn(routes)] as const];
  }),
);

const [, WHOLE = ""] = /of the engine as a whole:([\s\S]*?); nor /.exec(SECTION) ?? [];

/** Routes about the engine as a whole, as they are written there. */
const WHOLE_ENGINE: readonly string[] = routesIn(WHOLE);

/** @param route as the server has it: `GET /v1/requests/:id`. @returns undefined where none is needed. */
export function partOf(route: string): Part | undefined {
  const written = asWritten(route);
  const isIn = (name: string): boolean => ROWS.get(name)?.includes(written) === true;
  const found = PARTS.filter(isIn);
  if (found.length + (isIn("none") ? 1 : 0) > 1) throw new Error(`${route} stands in several rows.`);
  if (isIn("none")) return undefined;
  const [part] = found;
  if (part !== undefined) return part;
  if (route.startsWith("GET ")) return "view";
  throw new Error(`docs/reference/http.md says nothing of ${route}.`);
}

export const isOfWholeEngine = (route: string): boolean => WHOLE_ENGINE.includes(asWritten(route));

const asWritten = (route: string): string =>
  route.replace(/:(\w+)/g, "{$1}").replace(/^(POST \/v1\/hooks\/).+$/, "$1…");
