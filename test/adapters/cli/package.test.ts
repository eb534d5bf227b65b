// Package
// What the package promises to its users.

import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { execFileSync, spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { build } from "../../support/processes/program.ts";
import { stringsIn, textAt } from "../../support/engine/json.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

beforeAll(() => build(), 180_000);

/** Runs a program that imports the package by its name. */
function node(program: string): unknown {
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: ROOT, encoding: "utf8" }),
  );
}

describe("package", () => {
  it("CLI: every file that the manifest names is there after a build", () => {
    const named = [...stringsIn(manifest)]
      .map(([, text]) => text)
      .filter((text) => /^(\.\/)?dist\//.test(text));
    expect(named.length).toBeGreaterThanOrEqual(3);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("CLI: the built program says the manifest's version", () => {
    const version = execFileSync(process.execPath, [join(ROOT, "dist/adapters/main.js"), "--version"], {
      encoding: "utf8",
    });
    expect(version.trim()).toBe(textAt(manifest, "version"));
  });

  it("Library: createEngine takes an event, tells what became of it and answers queries about it", () => {
    const told = node(`
      import { createEngine } from "signalbox";
      const engine = await createEngine();
      const changes = [];
      engine.engine.onChanges((list) => changes.push(...list.map(({ entity, to }) => entity + " " + to)));
      const event = { specversion: "1.0", id: "1", source: "/test", type: "request.created", subject: "shop/s1", data: { requestId: "r1" } };
      const { taken } = await engine.send([event, event, { ...event, id: "2", type: "no.such" }]);
      const view = engine.queries.getRequest("r1");
      await engine.stop();
      console.log(JSON.stringify({ outcomes: taken.map((one) => one.reply?.outcome ?? one.refused.code), state: view.state, changes }));
    `);
    expect(told).toEqual({
      outcomes: ["applied", "duplicate", "UNKNOWN_TYPE"],
      state: "created",
      changes: expect.arrayContaining(["request created"]) as unknown,
    });
  });

  it("Library: createEngine lets people in under their own names, as the command does", () => {
    const told = node(`
      import { createEngine } from "signalbox";
      const ada = "the-token-of-ada-is-long-enough";
      const code = await createEngine({ port: 0, names: ["https://box.example"] }).catch((error) => error.code);
      const engine = await createEngine({ port: 0, names: ["https://box.example"], people: { ada } });
      const event = (type, data) => ({ specversion: "1.0", id: type, source: "/test", type, subject: "shop/s1", data });
      await engine.send([
        event("request.created", { requestId: "r1" }),
        event("approval.requested", { approvalId: "q1", requestId: "r1", tool: "Bash", input: {} }),
      ]);
      const answered = await fetch(engine.url + "/v1/approvals/q1/decision", {
        method: "POST",
        headers: { Authorization: "Bearer " + ada, "Content-Type": "application/json" },
        body: '{"decision":"deny"}',
      });
      const { by, state } = engine.queries.getApproval("q1");
      await engine.stop();
      console.log(JSON.stringify({ code, status: answered.status, by, state, hasToken: engine.token.length > 40 }));
    `);
    expect(told).toEqual({
      code: "NO_NAMED_TOKEN",
      status: 200,
      by: "http:ada",
      state: "denied",
      hasToken: true,
    });
  });

  it("Library: signalbox/client loads no machine, no store, no server and no engine", () => {
    const hook = `export const load = (url, context, next) => { process._rawDebug("loads " + url); return next(url, context); };`;
    const register = `import { register } from "node:module"; register("data:text/javascript,${encodeURIComponent(hook)}");`;
    const program = `import { connect } from "signalbox/client"; if (typeof connect !== "function") throw new Error("No connect.");`;
    const { stderr, status } = spawnSync(
      process.execPath,
      [
        "--import",
        `data:text/javascript,${encodeURIComponent(register)}`,
        "--input-type=module",
        "-e",
        program,
      ],
      { cwd: ROOT, encoding: "utf8" },
    );
    expect([status, stderr.replace(/^loads .*\n/gm, "")]).toEqual([0, ""]);
    const loaded = [...stderr.matchAll(/^loads file:\/\/(.*)$/gm)].map(([, path = ""]) =>
      relative(ROOT, path),
    );
    const ours = loaded.filter((path) => path.startsWith("dist/"));
    expect(ours).toContain("dist/adapters/client.js");
    expect(
      ours
        .filter(
          (path) =>
            !/^dist\/adapters\/(nats\/(client\/|connect|streams|client-errors|address|servers|handshake)|client)|^dist\/adapters\/composition\/nats-key/.test(
              path,
            ),
        )
        .sort(),
    ).toEqual(
      [
        // To read a key, and to know the private server that it is for.
        "adapters/data-folder/closed",
        "adapters/data-folder/own-file",
        "adapters/data-folder/ownership",
        "adapters/data-folder/secret",
        "adapters/data-folder/trouble",
        "adapters/nats-server/child",
        "adapters/nats-server/config",
        "adapters/nats-server/files",
        "adapters/system/listening",
        "adapters/system/machine",
        "adapters/system/processes",
        "runtime/errors/system-codes",
        "runtime/errors/trouble",
        "runtime/line/here",
        "machines/defined",
        "machines/ids",
        "runtime/canonical",
        "runtime/errors/errors",
        "runtime/foreign-id",
        "runtime/errors/given-options",
        "runtime/limits",
        "runtime/rows/subjects",
        "runtime/text/quoted",
        "runtime/text/visible",
        "runtime/wait-for",
      ]
        .map((name) => `dist/${name}.js`)
        .sort(),
    );
    const packages = loaded.flatMap((path) => /\/?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []);
    expect([...new Set(packages)].sort()).toEqual(["nats", "uuid"]);
  });
});
