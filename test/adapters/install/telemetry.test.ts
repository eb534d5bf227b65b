// Telemetry in the client's settings: put in, taken out, and nothing of anybody else's touched.

import { test as property, fc } from "@fast-check/vitest";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { installForm } from "../../../adapters/claude-code/install.ts";
import { telemetryIn, withoutTelemetry, withTelemetry } from "../../../adapters/install/index.ts";
import { telemetryToken } from "../../../runtime/access-token.ts";
import { RefusedError } from "../../../runtime/errors/errors.ts";
import { build, Desk } from "../../support/processes/program.ts";

const TOKEN = telemetryToken("the machine's own");
const COLLECTOR = { url: "http://127.0.0.1:4280/v1/logs", token: TOKEN };
const put = (text: string, collector = COLLECTOR): string => withTelemetry(installForm, text, collector);
const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof RefusedError) return error.code;
    throw error;
  }
  return "none";
};

const MINE = `{\n    "model": "opus",   "env": { "A": "\\u00e4",\n  "B":"2" }, "x": [ ]\n}\n`;

beforeAll(build, 180_000);

describe("telemetry in the settings", () => {
  it("INSTALL-TELEMETRY-2: it has the six variables, beside what was there", () => {
    expect(JSON.parse(put(MINE))).toEqual({
      model: "opus",
      x: [],
      env: {
        A: "ä",
        B: "2",
        CLAUDE_CODE_ENABLE_TELEMETRY: "1",
        OTEL_LOGS_EXPORTER: "otlp",
        OTEL_EXPORTER_OTLP_LOGS_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: COLLECTOR.url,
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: `Authorization=Bearer%20${TOKEN}`,
        OTEL_LOGS_EXPORT_INTERVAL: "250",
      },
    });
  });

  property.prop([
    fc.dictionary(
      fc.string().filter((key) => key !== "__proto__" && key !== "env"),
      fc.jsonValue(),
    ),
    fc.option(
      fc.dictionary(fc.constantFrom("A", "OTEL_METRICS_EXPORTER", "PATH"), fc.string(), { minKeys: 1 }),
    ),
    fc.constantFrom(undefined, 2, "\t"),
  ])("INSTALL-TELEMETRY-2: put in and taken out, every character is as before", (rest, env, space) => {
    const text = JSON.stringify({ ...rest, ...(env && { env }) }, undefined, space);
    const there = put(text);
    expect(withoutTelemetry(installForm, there, TOKEN)).toBe(text);
    expect(put(there)).toBe(there);
  });

  it("INSTALL-TELEMETRY-2: at another address it is put in anew, once", () => {
    const moved = put(put(MINE), { ...COLLECTOR, url: "http://127.0.0.1:5000/v1/logs" });
    expect(moved).not.toContain("4280");
    expect(withoutTelemetry(installForm, moved, TOKEN)).toBe(MINE);
  });

  it.each(["CLAUDE_CODE_ENABLE_TELEMETRY", "OTEL_LOGS_EXPORTER", "OTEL_EXPORTER_OTLP_LOGS_HEADERS"])(
    "INSTALL-TELEMETRY-1: where %s is set by somebody else, nothing is changed",
    (name) => {
      const text = JSON.stringify({ env: { [name]: "1" } });
      expect(codeOf(() => put(text))).toBe("TELEMETRY_TAKEN");
      expect(withoutTelemetry(installForm, text, TOKEN)).toBe(text);
    },
  );

  it("INSTALL-TELEMETRY-2: of another data folder's it takes out nothing, nor what was changed since", () => {
    expect(withoutTelemetry(installForm, put(MINE), telemetryToken("another"))).toBe(put(MINE));
    const changed = put(MINE).replace(
      '"OTEL_LOGS_EXPORT_INTERVAL": "250"',
      '"OTEL_LOGS_EXPORT_INTERVAL": "9"',
    );
    expect(JSON.parse(withoutTelemetry(installForm, changed, TOKEN))).toMatchObject({
      env: { A: "ä", B: "2", OTEL_LOGS_EXPORT_INTERVAL: "9" },
    });
  });

  it("INSTALL-TELEMETRY-1: settings whose env is no object are refused in words", () => {
    expect(codeOf(() => put('{"env": []}'))).toBe("BAD_SETTINGS");
  });

  it.each([
    ["a variable is gone", put(MINE).replace(/,\s+"OTEL_LOGS_EXPORT_INTERVAL": "250"/, "")],
    ["a variable has another value", put(MINE).replace('"250"', '"9"')],
    ["it is sent to another machine", put(MINE).replace("127.0.0.1", "127.0.0.1.example.com")],
    ["it is sent elsewhere on this machine", put(MINE).replace("/v1/logs", "/v1/logs2")],
    ["its header is no token of ours", put(MINE).replace(TOKEN, "mine")],
    ["there is none", MINE],
  ])("INSTALL-TELEMETRY-3: where %s it is not recognised as ours", (_, text) => {
    expect(telemetryIn(installForm, put(MINE))).toMatchObject({ token: TOKEN });
    expect(telemetryIn(installForm, text)).toBeUndefined();
  });

  it("INSTALL-TELEMETRY-3: of a data folder that was begun anew it is taken out, unless another folder's hooks are there", async () => {
    const desk = new Desk();
    const env = { CLAUDE_CONFIG_DIR: desk.dir };
    const path = join(desk.dir, "settings.json");
    const other = ["--data", join(desk.dir, "other")];
    writeFileSync(path, MINE);
    expect((await desk.run(["install", "--telemetry"], { env })).code).toBe(0);
    rmSync(join(desk.dir, "data"), { recursive: true });
    expect((await desk.run(["install", ...other], { env })).code).toBe(0);
    const kept = (await desk.run(["uninstall"], { env })).out;
    expect(kept).toContain("a token that is not this folder's: CLAUDE_CODE_ENABLE_TELEMETRY, OTEL_");
    const gone = (await desk.run(["uninstall", ...other, "--verbose"], { env })).out;
    expect([gone.includes("Bearer%20…"), gone.includes("a token that")]).toEqual([true, false]);
    expect(readFileSync(path, "utf8")).toBe(MINE);
    await desk.clear();
  });

  it("INSTALL-TELEMETRY-2: by the command it goes in and out; the machine's own token is nowhere", async () => {
    const desk = new Desk();
    const config = join(desk.dir, "config");
    mkdirSync(config);
    const path = join(config, "settings.json");
    writeFileSync(path, MINE);
    const signalbox = (...args: readonly string[]) => desk.run(args, { env: { CLAUDE_CONFIG_DIR: config } });
    const { code, out } = await signalbox("install", "--telemetry", "--verbose");
    const own = readFileSync(join(desk.dir, "data", "line-key"), "utf8").trim();
    const text = readFileSync(path, "utf8");
    expect([code, text.includes(telemetryToken(own)), text.includes(own)]).toEqual([0, true, false]);
    expect([out.includes("Authorization=Bearer%20…"), out.includes(telemetryToken(own))]).toEqual([
      true,
      false,
    ]);
    expect((await signalbox("install", "--telemetry", "--scope", "project")).err).toContain("--scope local");
    await signalbox("uninstall");
    expect(readFileSync(path, "utf8")).toBe(MINE);
    await desk.clear();
  });
});
