// HTTP: lines
// The lines of a project's file around an edit that waits: for whom, of which file, and when there are none.

import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { composeEngine, type Composed } from "../../../adapters/composition/compose.ts";
import { PARTS, type Part } from "../../../runtime/access-token.ts";
import type { Audience } from "../../../runtime/engine-settings.ts";
import type { LinesAround } from "../../../runtime/reading/around/file-lines.ts";
import { event } from "../../support/http/served.ts";

const OWN = "the-token-of-this-machine-s-user";
const ADA = { name: "ada", token: "the-token-of-ada-is-long-enough" };
const WATCHER = { name: "watcher", token: "the-token-of-a-watcher-is-long" };
const OTHER = { name: "other", token: "the-token-of-another-is-long-enough" };
const may = (parts: readonly Part[], ...workspaces: readonly string[]) => ({
  access: { parts: new Set(parts), ...(workspaces.length > 0 && { workspaces: new Set(workspaces) }) },
});
const PEOPLE = [
  { ...ADA, ...may(PARTS, "shop") },
  { ...WATCHER, ...may(["view"]) },
  { ...OTHER, ...may(PARTS, "web") },
];
const UNKNOWN = { isKnown: false, edits: [] };

let project = "";
let composed: Composed | undefined;
let asked = 0;
beforeEach(() => {
  project = realpathSync(mkdtempSync(join(tmpdir(), "lines-")));
  put("src/a.ts", "one\ntwo\nthree\nfour\n");
});
afterEach(async () => {
  await composed?.stop();
  rmSync(project, { recursive: true });
});

function put(name: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(project, name)), { recursive: true });
  writeFileSync(join(project, name), text);
}

async function start(fileLines?: Audience): Promise<void> {
  const http = { port: 0, token: OWN, tokens: () => Promise.resolve(PEOPLE) };
  composed = await composeEngine({ http, ...(fileLines && { fileLines }) });
  await composed.connect();
  await composed.start();
}

const call = async (method: string, path: string, token: string, body?: object) => {
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    ...(method === "POST" && { "Signalbox-Workspace": "shop" }),
  };
  const sent = body && JSON.stringify(body);
  const answered = await fetch((composed?.url ?? "") + path, {
    method,
    headers,
    ...(sent && { body: sent }),
  });
  return { status: answered.status, body: await answered.json() };
};

/** The hook of an edit that waits. @returns the approval's id. */
async function ask(
  {
    path = join(project, "src", "a.ts"),
    before = "two\n",
    cwd = project,
    session = "s1",
    tool = "Edit",
    ...more
  } = {},
  token = OWN,
): Promise<string> {
  const id = `a${(asked += 1)}`;
  const input = { file_path: path, old_string: before, new_string: `new ${id}\n`, ...more };
  const payload = {
    session_id: session,
    cwd,
    hook_event_name: "PermissionRequest",
    tool_name: tool,
    tool_input: input,
  };
  const given = `approval=${id}&wait=60000&closed=ask`;
  expect((await call("POST", `/v1/gate?${given}`, token, payload)).status).toBe(200);
  return id;
}

const lines = async (id: string, token = OWN): Promise<unknown> =>
  (await call("GET", `/v1/approvals/${id}/lines?workspace=shop`, token)).body;
const status = async (id: string, token: string): Promise<number> =>
  (await call("GET", `/v1/approvals/${id}/lines`, token)).status;

const TWO: LinesAround = {
  isKnown: true,
  edits: [
    {
      ...{ index: 0, at: 2, places: 1 },
      before: [{ n: 1, text: "one" }],
      after: [
        { n: 3, text: "three" },
        { n: 4, text: "four" },
      ],
    },
  ],
};

describe("HTTP: the lines around an edit", () => {
  it("FILE-LINES-1: they are those of the file as it is now, for as long as the edit waits", async () => {
    await start("own");
    const id = await ask();
    expect(await lines(id)).toEqual(TWO);
    put("src/a.ts", "zero\none\ntwo\nthree\nfour\n");
    expect(await lines(id)).toMatchObject({ isKnown: true, edits: [{ at: 3 }] });
    put("src/a.ts", "one\ntwo\nthree\nfour\n");
    const { body } = await call("GET", `/v1/approvals/${id}`, OWN);
    const { inputHash } = body as { inputHash: string };
    const decision = { decision: "approve", inputHash };
    expect((await call("POST", `/v1/approvals/${id}/decision`, OWN, decision)).status).toBe(200);
    expect(await lines(id)).toEqual(UNKNOWN);
  });

  it("FILE-LINES-1: of several edits each that is found has its lines, and a file that is written anew has none", async () => {
    await start("own");
    const edits = [
      { old_string: "nowhere", new_string: "x" },
      { old_string: "three", new_string: "3" },
    ];
    const path = join(project, "src", "a.ts");
    const hook = { session_id: "s1", cwd: project, hook_event_name: "PermissionRequest" };
    const both = { ...hook, tool_name: "MultiEdit", tool_input: { file_path: path, edits } };
    expect((await call("POST", "/v1/gate?approval=m1&wait=60000&closed=ask", OWN, both)).status).toBe(200);
    expect(await lines("m1")).toMatchObject({ isKnown: true, edits: [{ index: 1, at: 3 }] });
    const whole = { ...hook, tool_name: "Write", tool_input: { file_path: path, content: "new" } };
    expect((await call("POST", "/v1/gate?approval=w1&wait=60000&closed=ask", OWN, whole)).status).toBe(200);
    expect(await lines("w1")).toEqual(UNKNOWN);
  });

  test.each<[string, () => Parameters<typeof ask>[0]]>([
    ["outside of the project", () => ({ path: join(dirname(project), "a.ts") })],
    ["that climbs out", () => ({ path: `${project}/src/../../a.ts` })],
    [
      "that is a link",
      () => {
        symlinkSync("a.ts", join(project, "src", "link.ts"));
        return { path: join(project, "src", "link.ts") };
      },
    ],
    [
      "in a linked folder",
      () => {
        symlinkSync("src", join(project, "link"));
        return { path: join(project, "link", "a.ts") };
      },
    ],
    ["that is a folder", () => ({ path: join(project, "src") })],
    ["that is missing", () => ({ path: join(project, "src", "b.ts") })],
    [
      "with secrets",
      () => {
        put(".env", "one\ntwo\nthree\n");
        return { path: join(project, ".env") };
      },
    ],
    [
      "that is too long",
      () => {
        put("src/a.ts", `one\ntwo\nthree\n${"x".repeat(512 * 1024)}`);
        return {};
      },
    ],
    [
      "that is no text",
      () => {
        put("src/a.ts", Buffer.from([0x6f, 0x6e, 0x65, 0x0a, 0x74, 0x77, 0x6f, 0x0a, 0xff, 0xfe]));
        return {};
      },
    ],
    [
      "with a zero byte",
      () => {
        put("src/a.ts", "one\ntwo\n\0three\n");
        return {};
      },
    ],
    ["without the text", () => ({ before: "ten\n" })],
    ["of a tool that is not known to edit", () => ({ tool: "Scribble" })],
  ])("FILE-LINES-4: of a file %s there are no lines, and the answer does not say why", async (_, make) => {
    await start("own");
    expect(await lines(await ask(make()))).toEqual(UNKNOWN);
  });

  it("FILE-LINES-1: a file that becomes a link while the edit waits is not read any more", async () => {
    await start("own");
    const id = await ask();
    expect(await lines(id)).toEqual(TWO);
    renameSync(join(project, "src"), join(project, "was"));
    symlinkSync("was", join(project, "src"));
    expect(await lines(id)).toEqual(UNKNOWN);
  });

  it("FILE-LINES-2, PROJECT-FOLDERS-1: whoever has a token can name a folder and a file, and nothing is read for it", async () => {
    await start("all");
    // In a session of their own; in the user's session, beside an edit of the user's.
    expect(await lines(await ask({ session: "theirs" }, ADA.token), ADA.token)).toEqual(UNKNOWN);
    expect(await lines(await ask(), ADA.token)).toEqual(TWO);
    expect(await lines(await ask({}, ADA.token), ADA.token)).toEqual(UNKNOWN);
    const input = { file_path: join(project, "src", "a.ts"), old_string: "one\n", new_string: "x" };
    const said = { tool: "Edit", input, approvalId: "e1" };
    const sent = event("approval.requested", said, { id: "e1", subject: "shop/s1", source: "local:me" });
    expect((await call("POST", "/v1/events", ADA.token, sent)).status).toBe(200);
    expect(await lines("e1", ADA.token)).toEqual(UNKNOWN);
    // The user's own edit, in a session whose folder only they have named.
    const started = { session_id: "new", cwd: project, hook_event_name: "SessionStart", source: "startup" };
    expect((await call("POST", "/v1/hooks/claude-code", ADA.token, started)).status).toBe(200);
    const inEtc = await ask({ session: "new", cwd: "/etc" });
    expect(await lines(inEtc, ADA.token)).toEqual(UNKNOWN);
  });

  it("PROJECT-FOLDERS-2: an agent that goes into another folder takes no further files along", async () => {
    await start("own");
    expect(await lines(await ask({ cwd: join(project, "src") }))).toEqual(TWO);
    put("b.ts", "two\n");
    expect(await lines(await ask({ path: join(project, "b.ts") }))).toEqual(UNKNOWN);
    expect(await lines(await ask())).toEqual(TWO);
  });

  it("FILE-LINES-3: by default nobody has lines; with `own` the engine's own user; with `all` whoever may answer the approval", async () => {
    await start();
    expect(await lines(await ask())).toEqual(UNKNOWN);
    await composed?.stop();
    await start("own");
    const id = await ask();
    expect([await lines(id), await lines(id, ADA.token)]).toEqual([TWO, UNKNOWN]);
    await composed?.stop();
    await start("all");
    const other = await ask();
    expect([await lines(other), await lines(other, ADA.token)]).toEqual([TWO, TWO]);
    await composed?.stop();
    await start("off");
    expect(await lines(await ask())).toEqual(UNKNOWN);
  });

  it("PARTS-1, WORKSPACE-REACH-1: neither whoever may only watch nor whoever is of another workspace sees a line", async () => {
    await start("all");
    const id = await ask();
    expect(await status(id, WATCHER.token)).toBe(403);
    const [known, unknown] = [id, "never"].map((each) =>
      call("GET", `/v1/approvals/${each}/lines`, OTHER.token),
    );
    expect([(await known)?.status, (await unknown)?.status]).toEqual([404, 404]);
    expect((await call("GET", `/v1/approvals/${id}/lines?workspace=shop`, OTHER.token)).status).toBe(403);
    expect(await status("never", OWN)).toBe(404);
    expect((await call("GET", `/v1/approvals/${id}/lines?path=/etc/passwd`, OWN)).status).toBe(400);
  });
});
