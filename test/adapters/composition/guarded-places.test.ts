// Guarded places
// Which places an engine guards, by where it is.

import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { guardedPlaces } from "../../../adapters/composition/guarded-places.ts";

test("GUARDED-PLACES-1: guards its folder as it was named and as links lead to it", () => {
  const room = mkdtempSync(join(tmpdir(), "places-"));
  try {
    const [real, link] = [join(room, "real"), join(room, "link")];
    mkdirSync(real);
    symlinkSync(real, link);
    const { folders } = guardedPlaces({ folder: { dir: link } }, undefined);
    expect(folders).toEqual([link, realpathSync(real)]);
    expect(guardedPlaces({ folder: { dir: real } }, undefined).folders).toEqual([
      ...new Set([real, realpathSync(real)]),
    ]);
  } finally {
    rmSync(room, { recursive: true });
  }
});

test("GUARDED-PLACES-1: guards the port that HTTP took, and the private NATS server's", () => {
  const portsOf = (isPrivate: boolean, url?: string) =>
    guardedPlaces({ nats: { url: "nats://a:b@127.0.0.1:4222,nats://127.0.0.1:4223", isPrivate } }, url).ports;
  expect(portsOf(true, "http://127.0.0.1:51234")).toEqual([51234, 4222, 4223]);
  expect(portsOf(false, "http://[::1]:51234/")).toEqual([51234]);
  expect(portsOf(false)).toEqual([]);
});

test("GUARDED-PLACES-1: guards the names by which others reach it, not those that mean any machine", () => {
  const names = (host: string, ...more: readonly string[]) =>
    guardedPlaces({ http: { host, names: more } }, undefined).names;
  expect(names("0.0.0.0", "box", "https://desk.example.com:8443")).toEqual(["box", "desk.example.com"]);
  expect([names("127.0.0.1"), names("::1"), names("localhost"), names("10.0.0.5")]).toEqual([
    [],
    [],
    [],
    ["10.0.0.5"],
  ]);
});
