// Compose file
// What docker-compose.yml starts: that it is the README's steps, on files that are there, with a server that takes its settings.

import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { shownAddress } from "../../adapters/nats/address.ts";
import { at, listAt, textAt } from "../support/engine/json.ts";
import { natsServerBinary } from "../support/nats/binary.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const compose: unknown = parse(read("docker-compose.yml"), { merge: true });
const run = promisify(execFile);

const dir = mkdtempSync(join(tmpdir(), "signalbox-compose-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The instructions of the engine's image, in order. */
const steps = (textAt(compose, "services", "engine", "build", "dockerfile_inline") ?? "")
  .trim()
  .split("\n")
  .map((line) => ({ word: line.split(" ")[0] ?? "", rest: line.slice(line.indexOf(" ") + 1) }));
const all = (word: string): readonly string[] =>
  steps.flatMap((step) => (step.word === word ? [step.rest] : []));

/** With the variables' own names in their place, as compose puts values there. */
const filled = (text: string): string => text.replaceAll(/\$\{([A-Z_]+):\?[^}]+\}/g, "$1");

describe("docker-compose.yml", () => {
  it("README: the image is made and started by the README's own commands", () => {
    const [, commands = ""] = /^npm ci && (npm start)\b/m.exec(read("README.md")) ?? [];
    expect(all("RUN").at(-1)).toBe("npm ci");
    expect(all("CMD")).toEqual([JSON.stringify(commands.split(" ")).replaceAll(",", ", ")]);
    expect(steps.map(({ word }) => word).lastIndexOf("COPY")).toBeLessThan(
      steps.findIndex(({ rest }) => rest === "npm ci"),
    );
  });

  it("README: what it copies is there, and is enough to build and start the program", async () => {
    for (const line of all("COPY")) {
      const [target = "", ...sources] = line.replace("--chown=node:node ", "").split(" ").reverse();
      for (const source of sources)
        cpSync(join(ROOT, source), join(dir, target === "./" ? source : target), { recursive: true });
    }
    symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
    await run("npm", ["run", "build"], { cwd: dir });
    const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
    const [, main = ""] = scripts.start.split(" ");
    const { stdout } = await run(process.execPath, [main, "--version"], { cwd: dir });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  }, 600_000);

  it("README: the image has a Node the package runs on", () => {
    const [, major = ""] = /^node:(\d+)-/.exec(all("FROM")[0] ?? "") ?? [];
    const { engines } = JSON.parse(read("package.json")) as { engines: { node: string } };
    expect(Number(major)).toBeGreaterThan(Number(/>=(\d+)/.exec(engines.node)?.[1]));
  });

  it("Ops: the engine has its password, waits for the server's health, and both keep their data", () => {
    const engine = at(compose, "services", "engine");
    const nats = at(compose, "services", "nats");
    const url = filled(textAt(engine, "environment", "SIGNALBOX_NATS_URL") ?? "");
    expect([url, shownAddress(url)]).toEqual([
      "nats://engine:ENGINE_PASSWORD@127.0.0.1:4222",
      "nats://127.0.0.1:4222",
    ]);
    expect(listAt(nats, "ports")).toEqual(["127.0.0.1:4222:4222"]);
    expect(at(engine, "depends_on", "nats")).toEqual({ condition: "service_healthy" });
    expect(listAt(engine, "volumes")).toEqual([`engine:${all("ENV")[0]?.split("=")[1] ?? ""}`]);
    expect(listAt(nats, "volumes")).toEqual(["nats:/data"]);
    const named = Object.values(at(compose, "services") as object).flatMap((service) =>
      listAt(service, "volumes"),
    );
    const volumes = new Set(named.map((volume) => String(volume).split(":")[0] ?? ""));
    expect(Object.keys(at(compose, "volumes") as object).sort()).toEqual([...volumes].sort());
  });

  it("G11: a nats-server takes the settings it is given, with the shipped accounts and every password they name", async () => {
    const binary = await natsServerBinary();
    const { stdout } = await run(binary, ["--version"]);
    const isOld = /v2\.[0-9]\./.test(stdout);
    const env = at(compose, "services", "nats", "environment") as Readonly<Record<string, string>>;
    for (const mounted of listAt(compose, "services", "nats", "configs")) {
      const config = at(compose, "configs", textAt(mounted, "source") ?? "");
      const text = textAt(config, "content") ?? read(textAt(config, "file") ?? "");
      // Known from 2.10 on; the image has a later one.
      const known = isOld ? text.replace("sync_interval: always", "") : text;
      writeFileSync(join(dir, basename(textAt(mounted, "target") ?? "")), known);
    }
    const [, , file = ""] = [...listAt(compose, "services", "nats", "command"), ""].map(String).toReversed();
    expect(file).toBe("-c");
    const check = (given: Readonly<Record<string, string>>) =>
      run(binary, ["-t", "-c", join(dir, "nats.conf")], { env: { PATH: process.env["PATH"], ...given } });
    const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    expect((await check(given)).stderr).toMatch(/is valid/);
    for (const name of Object.keys(given)) {
      const { [name]: _, ...others } = given;
      await expect(check(others)).rejects.toThrow(name);
    }
  });

  it("Ops: the cluster is three servers that find one another, and three engines that differ in port and data alone, with one key", async () => {
    const services = at(compose, "services");
    const config = textAt(compose, "configs", "cluster", "content") ?? "";
    const names = [1, 2, 3].map((n) => `nats-${n}`);
    expect(/routes: (\[.*\])/.exec(config)?.[1]).toBe(
      `[${names.map((name) => `"nats://${name}:6222"`).join(", ")}]`,
    );
    const urls = names.map((name) => String(listAt(services, name, "ports")[0]).replace(/:4222$/, ""));
    for (const name of names) {
      expect(textAt(services, name, "environment", "NATS_NAME")).toBe(name);
      expect(listAt(services, name, "volumes")).toEqual([`${name}:/data`]);
    }
    const engines = ["cluster-a", "cluster-b", "cluster-c"].map((name) => at(services, name));
    for (const engine of engines) {
      expect(at(engine, "environment")).toMatchObject({
        SIGNALBOX_FOLLOW: "/key/key",
        SIGNALBOX_NATS_REPLICAS: "3",
      });
      expect(filled(textAt(engine, "environment", "SIGNALBOX_NATS_URL") ?? "")).toBe(
        `nats://engine:ENGINE_PASSWORD@${urls.join(",")}`,
      );
      expect(Object.keys(at(engine, "depends_on") as object)).toEqual([...names, "cluster-key"]);
    }
    const alike = (engine: unknown) => ({
      ...(engine as object),
      volumes: [],
      environment: { ...(at(engine, "environment") as object), SIGNALBOX_PORT: "" },
    });
    for (const engine of engines) expect(alike(engine)).toEqual(alike(engines[0]));
    for (const part of ["volumes", "environment"])
      expect(new Set(engines.map((engine) => JSON.stringify(at(engine, part)))).size).toBe(engines.length);
    writeFileSync(join(dir, "cluster.conf"), config.replace("sync_interval: always", "").replace("$$", "$"));
    writeFileSync(join(dir, "accounts.conf"), read("ops/nats/accounts.conf"));
    const env = at(services, "nats-2", "environment") as Readonly<Record<string, string>>;
    const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filled(value)]));
    const checked = await run(await natsServerBinary(), ["-t", "-c", join(dir, "cluster.conf")], {
      env: { PATH: process.env["PATH"], ...given },
    });
    expect(checked.stderr).toMatch(/is valid/);
  });

  it("G11: the image is named by its exact version", () => {
    expect(textAt(compose, "services", "nats", "image")).toMatch(/^nats:2\.\d+\.\d+-alpine$/);
  });
});
