// OpenAPI
// docs/reference/openapi.yaml says what the engine does: made of its own types and schemas, and asked of a running engine.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { toolInput } from "../../runtime/canonical.ts";
import { RefusedError, RetryableError } from "../../runtime/errors/errors.ts";
import { failureOf } from "../../runtime/errors/failure.ts";
import { AmbiguousError } from "../../runtime/errors/ambiguous.ts";
import { IdReusedError } from "../../runtime/errors/id-reused.ts";
import { at, listAt, stringsIn, textAt } from "../support/engine/json.ts";
import { openapi } from "../support/docs/openapi.ts";
import { messages } from "../support/sessions/play.ts";
import { recording } from "../support/sessions/recording.ts";
import { faultsBy } from "../support/docs/faults.ts";
import { tokenIdOf } from "../../runtime/line/handshake.ts";
import { event, serve, type Served, TOKEN } from "../support/http/served.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FILE = join(ROOT, "docs", "reference", "openapi.yaml");
const TOLD = readFileSync(join(ROOT, "docs", "reference", "http.md"), "utf8");
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const made = openapi(textAt(manifest, "version") ?? "");
const text = `# Written by: WRITE_OPENAPI=1 npx vitest run openapi.test.ts\n${stringify(made, { aliasDuplicateObjects: false })}`;
if (process.env["WRITE_OPENAPI"] === "1") writeFileSync(FILE, text);

const document: unknown = parse(readFileSync(FILE, "utf8"));
const paths = at(document, "paths") as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);
const routes = operations.map(({ method, path }) => `${method} ${path}`);

/** Where the errors come from that a request may meet. */
const SOURCES = ["runtime", "adapters/http", "adapters/claude-code", "adapters/lmdb"];
const THROWN = /new (Refused|Retryable)Error\(\s*(?:"(\w+)"|([A-Z_]{3,}))/g;
/** Thrown in another way, or by the journal of another folder. */
const BESIDE = [
  new AmbiguousError("", []),
  ...["REJECTED", "BACKUPS_UNREADABLE"].map((code) => new RefusedError(code, "", "")),
  new IdReusedError("", []),
  ...["JOURNAL_UNAVAILABLE", "NO_MAJORITY"].map((code) => new RetryableError(code, "", "", 1000)),
];
const ASKING = { session_id: "s9", hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: {} };
/** Questions of no query: their path is read apart from their parameters. */
const ASKED_APART = /\/(denial|lines|precedents|answer|conversation)$/;
/** Met at a start, in the module, or over NATS only. */
const ELSEWHERE = /^(BAD_(OPTION|PARTITION|TOKEN)|NO_SUCH_QUERY|OTHER_WORKSPACE|PARTITION_DIFFERS)$/;
/** Not there for an engine without a provider; test/adapters/oidc walks them. */
const OF_PROVIDER = /^\/sign-in/;
/** Read from files by commands alone. */
const OF_FILES = /^(audit|tlog)\//;
const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !OF_FILES.test(name))
    .map((name) => join(folder, name));

const faultsOf = faultsBy(document);

const namesOf = (operation: unknown, where: string): readonly string[] =>
  listAt(operation, "parameters")
    .filter((each) => textAt(each, "in") === where)
    .map((each) => textAt(each, "name") ?? "");

let served: Served;
let ruleId: string;
const RULE = { workspace: "w", effect: "deny", tool: "Bash", match: { kind: "prefix", text: "rm" } };
const EXACT = { kind: "exact", input: { command: "ls" } };
const ASK_ALL = { effect: "ask", tool: "*" };

beforeAll(async () => {
  served = await serve();
  for (const said of messages(recording("s3-permreq-deny-interrupt"), ["hooks"]))
    await (
      await served.engine.submit(said)
    ).settled;
  await served.post("/v1/events", [
    event("session.started", {}),
    event("request.created", { requestId: "r1", chatId: "c1", prompt: "Do it." }),
    event("request.callback", { requestId: "r1", state: "failed", error: "gone" }),
    event("tool.started", { tool: "Bash", input: { command: "ls" }, toolUseId: "t1" }),
    event("tool.finished", { tool: "Bash", toolUseId: "t1", output: "a" }),
    event("approval.requested", {
      approvalId: "q1",
      requestId: "r1",
      tool: "Bash",
      input: { command: "rm" },
    }),
    event("approval.requested", { approvalId: "q2", requestId: "r1", tool: "Write", input: { path: "a" } }),
    event("no.such", {}),
  ]);
  const { body } = await served.post("/v1/rules", RULE);
  ruleId = textAt(body, "rule", "id") ?? "";
});
afterAll(() => served.stop());

/** The path with an id that is there in place of each name in braces. */
function placed(path: string): string {
  const [, list = ""] = /^\/v1\/([\w-]+)\//.exec(path) ?? [];
  const there: Readonly<Record<string, string>> = {
    requests: "r1",
    sessions: "s1",
    "tool-calls": "t1",
    approvals: "q1",
    journal: "2",
    "dead-letters": "1",
    rules: ruleId,
  };
  return path.replace(/\{\w+\}/g, there[list] ?? "worker.js");
}
/** What was asked as q1: its answer is told to nobody else. */
const SAID = `?session=s1&run=r1&tool=Bash&inputHash=${toolInput({ command: "rm" }).hash}`;
const NONCE = `?nonce=${"n".repeat(32)}&tokenId=${tokenIdOf(TOKEN)}`;
const NEEDED: Readonly<Record<string, string>> = {
  "/answer": SAID,
  "/handshake": NONCE,
  "/suggestions": "?workspace=w",
};
const asked = (path: string): string =>
  placed(path) + (Object.entries(NEEDED).find(([end]) => path.endsWith(end))?.[1] ?? "");

describe("OpenAPI", () => {
  test("Docs: docs/reference/openapi.yaml is what the engine's types and schemas make", () => {
    expect(readFileSync(FILE, "utf8")).toBe(text);
  });

  test("Docs: it has every route of a running engine, and no other", () => {
    const running = served.http.routes.map((route) => route.replace(/:(\w+)/g, "{$1}"));
    expect(routes.toSorted()).toEqual(running.toSorted());
  });

  test("Docs: the table of docs/reference/http.md has every route, and no other", () => {
    const told = [...TOLD.matchAll(/^\| `((?:GET|POST|DELETE) [^` ?]+)`/gm)].map(([, route]) => route);
    expect(told.toSorted()).toEqual(routes.toSorted());
  });

  test("Docs: the table of errors in docs/reference/http.md has every code that a request may meet, with its status", () => {
    const thrown = new Map(BESIDE.map((error) => [error.code, failureOf(error).status]));
    for (const file of SOURCES.flatMap((folder) => sourcesIn(folder)))
      for (const [, kind, written, constant] of readFileSync(join(ROOT, file), "utf8").matchAll(THROWN)) {
        const code = written ?? constant ?? "";
        const error =
          kind === "Refused" ? new RefusedError(code, "", "") : new RetryableError(code, "", "", 1000);
        if (!ELSEWHERE.test(code)) thrown.set(code, failureOf(error).status);
      }
    const told = [...TOLD.matchAll(/^\| (\d{3}) +\| `([A-Z_]+)`/gm)].map(
      ([, status, code]) => `${code} ${status}`,
    );
    expect(told.toSorted()).toEqual([...thrown].map(([code, status]) => `${code} ${status}`).toSorted());
  });

  test("Docs: every reference leads somewhere, and every name in braces is a parameter", () => {
    for (const [path, value] of stringsIn(document)) {
      if (!value.startsWith("#/")) continue;
      expect([path, at(document, ...value.slice(2).split("/"))]).not.toEqual([path, undefined]);
    }
    for (const { path, operation } of operations) {
      const braced = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect([path, namesOf(operation, "path")]).toEqual([path, braced]);
    }
  });

  test.each(operations.filter(({ method, path }) => method === "GET" && /^\/v1\/(?!handshake)/.test(path)))(
    "Docs: $path answers as it says, with a token only, and says which parameters it has",
    async ({ method, path, operation }) => {
      const url = served.url + placed(path);
      const unknown = await fetch(url, { headers: { Authorization: "Bearer none" } });
      expect([unknown.status, faultsOf(method, path, 401, await unknown.json())]).toEqual([401, []]);
      const stranger = await served.get(`${placed(path)}?no-such=1`);
      const names = namesOf(operation, "query");
      const message = textAt(stranger.body, "error", "message") ?? "";
      const [, known] = /is none of (.*)\.$/.exec(message) ?? [];
      expect([stranger.status, faultsOf(method, path, 400, stranger.body)]).toEqual([400, []]);
      const told = known?.split(", ") ?? [];
      const inPath = told.filter((name) => !names.includes(name));
      expect([names.filter((name) => !told.includes(name)), inPath.length]).toEqual([
        [],
        known === undefined || ASKED_APART.test(path) ? 0 : namesOf(operation, "path").length,
      ]);
      if (path === "/v1/stream") return;
      const answer = await served.get(asked(path));
      expect([answer.status, faultsOf(method, path, answer.status, answer.body)]).toEqual([200, []]);
      expect(at(operation, "responses", "200", "headers") === undefined).toBe(
        answer.headers.get("Signalbox-Change") === null,
      );
      const version = answer.headers.get("Signalbox-Version") !== null;
      expect(at(operation, "responses", "200", "headers", "Signalbox-Version") !== undefined).toBe(version);
    },
  );

  const withState = operations.filter(({ operation }) => namesOf(operation, "query").includes("state"));
  test.each(withState.filter(({ path }) => !OF_PROVIDER.test(path)))(
    "Docs: $path may be asked for exactly the states that stand there",
    async ({ path, operation }) => {
      const { body } = await served.get(`${placed(path)}?state=no-such`);
      const [, told = ""] = /is none of (.*)\.$/.exec(textAt(body, "error", "message") ?? "") ?? [];
      const state = listAt(operation, "parameters").find((each) => textAt(each, "name") === "state");
      expect(listAt(state, "schema", "enum")).toEqual(told.split(", "));
    },
  );

  test("Docs: every list, session, request, call and change of a recording fits, and has no other field", async () => {
    const check = async (path: string, asked: string): Promise<unknown> => {
      const { status, body } = await served.get(asked);
      expect([asked, status, faultsOf("GET", path, status, body)]).toEqual([asked, 200, []]);
      return body;
    };
    const sessions = listAt(await check("/v1/sessions", "/v1/sessions?limit=1000"), "items");
    expect(sessions.length).toBeGreaterThan(1);
    for (const session of sessions) {
      const id = textAt(session, "id") ?? "";
      for (const part of ["tool-calls", "rejections", "history", "history?entries=true"])
        await check(`/v1/sessions/{id}/${part.replace(/\?.*/, "")}`, `/v1/sessions/${id}/${part}`);
      const calls = listAt((await served.get(`/v1/sessions/${id}/tool-calls`)).body, "items");
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls)
        await check("/v1/tool-calls/{id}", `/v1/tool-calls/${textAt(call, "id") ?? ""}`);
    }
    await check("/v1/approvals", "/v1/approvals?with=call,session");
    await check("/v1/approvals/{id}", "/v1/approvals/q1?with=call,session");
  });

  test("Docs: a POST of each kind is answered as it says: taken, turned away, decided, not counted", async () => {
    const [of, path] = ["/v1/approvals/{id}", "/v1/approvals/{id}/decision"] as const;
    const inputHash = textAt((await served.get("/v1/approvals/q1")).body, "inputHash");
    const stop = { session_id: "s9", hook_event_name: "Stop" };
    const mixed = [event("request.processing", { requestId: "r1" }), event("no.such", {})];
    const posts: readonly (readonly [path: string, asked: string, body: unknown, status: number])[] = [
      ["/v1/events", "/v1/events", event("request.queued", { requestId: "r1" }), 200],
      ["/v1/events", "/v1/events", event("request.created", { requestId: "r2" }, { sequence: 9 }), 202],
      ["/v1/events", "/v1/events", event("request.completed", { requestId: "none" }), 409],
      ["/v1/events", "/v1/events", [event("request.processing", { requestId: "r1" })], 200],
      ["/v1/events", "/v1/events", mixed, 207],
      ["/v1/events", "/v1/events", event("no.such", {}), 400],
      ["/v1/hooks/acp", "/v1/hooks/acp", { acp: "session", session: "s9" }, 200],
      ["/v1/hooks/codex", "/v1/hooks/codex", { codex: "session", session: "s9" }, 200],
      ...["claude-code", "codex-cli", "copilot-cli", "opencode-cli"].map(
        (client) => [`/v1/hooks/${client}`, `/v1/hooks/${client}`, stop, 200] as const,
      ),
      ["/v1/logs", "/v1/logs", { resourceLogs: [] }, 200],
      ["/v1/logs", "/v1/logs", {}, 400],
      ["/v1/gate", "/v1/gate?approval=g9&wait=1000&closed=ask", ASKING, 200],
      ["/v1/gate", "/v1/gate?approval=g9&wait=1000&closed=allow", ASKING, 400],
      ["/v1/approvals", "/v1/approvals", { run_id: "r9", call_id: "c9", spec: { fn: "deploy" } }, 200],
      [`${of}/assignment`, "/v1/approvals/q1/assignment", { to: "ann" }, 200],
      [path, "/v1/approvals/q1/decision", { decision: "approve", inputHash }, 200],
      [path, "/v1/approvals/q2/decision", { decision: "approve", inputHash: "another" }, 409],
      [path, "/v1/approvals/q1/decision", { decision: "deny" }, 409],
      ...["taken", "looking"].map((n) => [`${of}/${n}`, `/v1/approvals/q1/${n}`, {}, 200] as const),
      ["/v1/approvals/{id}/taken", "/v1/approvals/none/taken", {}, 404],
      [path, "/v1/approvals/none/decision", { decision: "deny" }, 404],
      ["/v1/sign-in-links", "/v1/sign-in-links", {}, 200],
      ["/v1/sign-out", "/v1/sign-out", {}, 400],
      ["/v1/dead-letters/{n}/retry", "/v1/dead-letters/1/retry", {}, 400],
      ["/v1/dead-letters/dismissal", "/v1/dead-letters/dismissal", { letters: [1] }, 200],
      ["/v1/dead-letters/dismissal", "/v1/dead-letters/dismissal", { letters: [99] }, 400],
      ["/v1/sweep", "/v1/sweep", {}, 200],
      ["/v1/handover", "/v1/handover", {}, 409],
      ["/v1/sample", "/v1/sample", {}, 202],
      ["/v1/rules", "/v1/rules", { ...RULE, match: EXACT, uses: 2 }, 200],
      ["/v1/rules", "/v1/rules", { ...RULE, effect: "allow", match: undefined }, 400],
      ["/v1/rules/test", "/v1/rules/test", { workspace: "w", rules: [ruleId], rule: ASK_ALL }, 200],
      ["/v1/rules/file", "/v1/rules/file", { workspace: "w", scope: "project", rules: [ASK_ALL] }, 200],
      ["/v1/rules/file", "/v1/rules/file", { workspace: "w", scope: "owner", rules: [], check: true }, 200],
      ["/v1/rules/test", "/v1/rules/test", { workspace: "w", rules: ["r_0"] }, 404],
      ["/v1/rules/{id}/enforce", `/v1/rules/${ruleId}/enforce`, {}, 200],
      ["/v1/rules/{id}/enforce", "/v1/rules/r_0/enforce", {}, 404],
      ["/v1/sessions/{id}/forget", "/v1/sessions/s1/forget", { check: true }, 200],
      ["/v1/sessions/{id}/forget", "/v1/sessions/s1/forget", {}, 409],
    ];
    for (const [path, asked, said, status] of posts) {
      const { status: had, body: told } = await served.post(asked, said);
      expect([asked, said, had, faultsOf("POST", path, had, told)]).toEqual([asked, said, status, []]);
    }
    expect([...new Set(posts.map(([path]) => `POST ${path}`))].toSorted()).toEqual(
      routes.filter((route) => route.startsWith("POST")).toSorted(),
    );
  });

  test("Docs: what is open needs no token, all else does; an answer has a type that stands there", async () => {
    for (const { method, path, operation } of operations.filter(({ method }) => method === "GET")) {
      if (path === "/v1/stream" || OF_PROVIDER.test(path)) continue;
      const isOpen = listAt(operation, "security").length === 0 && at(operation, "security") !== undefined;
      const bare = await fetch(served.url + (isOpen ? asked(path) : placed(path)), { redirect: "manual" });
      expect([method, path, bare.status]).toEqual([method, path, isOpen && path !== "/" ? 200 : 401]);
      const answer = await served.get(asked(path));
      const types = Object.keys(at(operation, "responses", "200", "content") ?? {});
      const type = (answer.headers.get("content-type") ?? "").replace(/;.*/, "");
      expect([path, answer.status, types.includes(type)]).toEqual([path, 200, true]);
      if (isOpen && path !== "/") expect(faultsOf(method, path, 200, answer.body)).toEqual([]);
    }
  });
  test("Docs: an answer with a field too many or too few does not fit", () => {
    expect(faultsOf("GET", "/livez", 200, { live: true })).toEqual([]);
    expect(faultsOf("GET", "/livez", 200, { live: true, more: 1 })).not.toEqual([]);
    expect(faultsOf("GET", "/v1/requests", 200, { items: [{ requestId: "r1" }] })).not.toEqual([]);
  });
});
