// Dead letters
// Which session a letter is about.

import { describe, expect, test } from "vitest";
import { sessionAddress, type SessionId, type WorkspaceId } from "../../../machines/index.ts";
import { type DeadLetter, isAbout } from "../../../runtime/rows/dead-letters.ts";
import { keys } from "../../../runtime/rows/keys.ts";

const [A, B, S1] = ["a" as WorkspaceId, "b" as WorkspaceId, "s1" as SessionId];
const owner = (workspace: WorkspaceId): string => keys.sessionOwner(S1, workspace);
/** Which of the sessions a/s1 and b/s1 the letter is about. */
const about = (letter: Partial<DeadLetter>, owners = [owner(A)]): readonly string[] =>
  [A, B].map((workspace) => sessionAddress(workspace, S1)).filter((home) => isAbout(letter, home, owners));

const http = { door: "http:/v1/hooks/claude-code" };
const nats = (subject: string, body: object): Partial<DeadLetter> => ({
  door: "nats",
  subject: `signalbox.v1.${subject}`,
  body: JSON.stringify(body),
});
const hook = JSON.stringify({ session_id: "s1", prompt: "x" });

describe("a dead letter is about", () => {
  test("ROWS-DEAD-LETTERS-3: the session of its entry, whatever the entry's text names", () => {
    const data = `"data":{"session_id":"s1"},"subject":"a/s1"}`;
    expect(about({ body: `{"door":"in","workspace":"a","session":"s1","id":"x"` })).toEqual(["a/s1"]);
    expect(about({ body: `{"door":"own","workspace":"a","session":"s2",${data}` })).toEqual([]);
    expect(about({ body: `{"door":"in","workspace":"b","session":"s1",${data}` })).toEqual(["b/s1"]);
  });

  test("ROWS-DEAD-LETTERS-3, FOREIGN-1, G12: the session of its NATS subject, if its text names none or another", () => {
    expect(about(nats("in.a.s1.request.created", { data: { prompt: "x" } }))).toEqual(["a/s1"]);
    expect(about(nats("in.b.s1.hook.received", { subject: "a/s1", session_id: "s1" }))).toEqual(["b/s1"]);
    expect(about(nats("in.b.s1", { session_id: "s1" }))).toEqual(["b/s1"]);
    expect(about(nats("in.b.s2.request.created", { subject: "a/s1" }))).toEqual([]);
  });

  test("ROWS-DEAD-LETTERS-3: the session that the door recorded, and in older letters the one that the text names", () => {
    expect(about({ ...http, body: "x", session: "b/s1" })).toEqual(["b/s1"]);
    expect(about({ ...http, body: hook, session: "s2" })).toEqual([]);
    expect(about({ ...http, body: "x", session: "s1" })).toEqual(["a/s1"]);
    expect(about({ ...http, body: hook })).toEqual(["a/s1"]);
    expect(about({ ...http, body: hook, headers: { "Signalbox-Workspace": "b" } })).toEqual(["b/s1"]);
    expect(about({ ...http, body: hook, workspace: "b" })).toEqual(["b/s1"]);
    expect(about({ ...http, body: JSON.stringify({ tool_input: { session_id: "s1" } }) })).toEqual([]);
  });

  test("ROWS-DEAD-LETTERS-3, G12: none, if it names an id that sessions of several workspaces have", () => {
    expect(about({ ...http, body: hook }, [owner(A), owner(B)])).toEqual([]);
    expect(about({ ...http, body: hook, session: "a/s1" }, [owner(A), owner(B)])).toEqual(["a/s1"]);
  });

  test("ROWS-DEAD-LETTERS-3: none, once its message was removed", () => {
    expect(about({ ...nats("in.a.s1.request.created", {}), body: "" })).toEqual([]);
  });
});
