// Operations
// The run book, the alerts and the dashboard speak of what there is: each trouble, each alert, each number of /metrics.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { completed } from "../../../runtime/config.ts";
import { RetryableError } from "../../../runtime/errors/errors.ts";
import { event, serve, type Served } from "../../support/http/served.ts";
import { recording } from "../../support/sessions/recording.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");
const RULES = "ops/prometheus/signalbox.rules.yml";

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const page = read("docs/how-to/operations.md");
const headings = [...page.matchAll(/^#+ (.+)$/gm)].map(([, text = ""]) => text);
const alerts = (parse(read(RULES)) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules);
const dashboard = JSON.parse(read("ops/grafana/signalbox.json")) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
/** Written by the types of the code (test/project/openapi.test.ts). */
const codes = (
  parse(read("docs/reference/openapi.yaml")) as {
    components: { schemas: { Trouble: { properties: { code: { enum: string[] } } } } };
  }
).components.schemas.Trouble.properties.code.enum;

describe("docs/how-to/operations.md", () => {
  test("Docs: has a row for each trouble, with what to do, and for no other", () => {
    const rows = [...page.matchAll(/^\| `([A-Z_]+)`.*\| (.+?) +\| (.+?) +\|$/gm)];
    expect(rows.map(([, code]) => code).sort()).toEqual([...codes].sort());
    expect(codes.length).toBeGreaterThan(15);
  });

  test("Docs: has a section for each alert, and each alert leads to its own", () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
    for (const { alert, annotations } of alerts) {
      const section = alert === "SignalboxTrouble" ? "Troubles" : alert;
      expect(headings).toContain(section);
      expect(annotations.runbook).toBe(`docs/how-to/operations.md#${section.toLowerCase()}`);
    }
    const told = headings.filter((each) => each.startsWith("Signalbox"));
    expect(told.filter((each) => !alerts.some(({ alert }) => alert === each))).toEqual([]);
  });
});

describe("numbers", () => {
  let served: Served;
  let told: string;
  beforeAll(async () => {
    served = await serve({ configuration: completed({ quota: { messages: 1, bytes: "off", kept: "off" } }) });
    for (const { value } of recording("s3-permreq-deny-interrupt").hooks.lines)
      await served.post("/v1/hooks/claude-code", (value as { readonly payload: unknown }).payload);
    const many = Array.from({ length: 500 }, (_, n) => event("request.created", { requestId: `r${n}` }));
    for (let n = 0; n < 3; n += 1) await served.post("/v1/events", many);
    served.journal.failure = new RetryableError("JOURNAL_FULL", "It is full.", "Make room.", 1);
    await served.post("/v1/events", {
      ...event("request.created", { requestId: "r1" }),
      subject: "other/s1",
    });
    told = String((await served.get("/metrics")).body);
  });
  afterAll(() => served.stop());

  /** Those that a follower of transcripts tells: none follows here. */
  const FOLLOWED = /^signalbox_transcript_/;

  test.each([
    ["alert", alerts.map(({ alert, expr }) => [alert, expr] as const)],
    [
      "panel",
      dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ],
  ])("METRICS-1, Docs: each number and label of an %s is one that /metrics tells", (_, all) => {
    const lines = told.split("\n").filter((line) => line.startsWith("signalbox_"));
    expect(all.length).toBeGreaterThan(10);
    for (const [name, expr] of all) {
      for (const [, metric = "", selector = ""] of expr.matchAll(/\b(signalbox_\w+)(\{[^}]*\})?/g)) {
        if (FOLLOWED.test(metric)) continue;
        const found = lines.filter((line) => line.startsWith(`${metric} `) || line.startsWith(`${metric}{`));
        expect(found, `${name}: ${metric}`).not.toEqual([]);
        for (const [, label = ""] of selector.matchAll(/(\w+)=~?"/g))
          expect(
            found.some((line) => line.includes(`${label}="`)),
            `${name}: ${metric} ${label}`,
          ).toBe(true);
      }
    }
  });
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;

test.skipIf(!hasPromtool && !process.env["CI"])(
  "Docs: promtool finds each alert sound, and each fires on its own trouble alone",
  () => {
    for (const args of [
      ["check", "rules", RULES],
      ["test", "rules", "ops/prometheus/signalbox.rules.test.yml"],
      ["check", "config", "--syntax-only", "ops/prometheus/prometheus.yml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", args, { cwd: ROOT, encoding: "utf8" });
      expect([args.join(" "), status, stdout, stderr]).toEqual([
        args.join(" "),
        0,
        expect.anything(),
        expect.anything(),
      ]);
    }
  },
);
