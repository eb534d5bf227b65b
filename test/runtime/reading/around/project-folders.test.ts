// Project folders
// Whose hooks name the folder of a session, and how many folders are remembered.

import { describe, expect, test } from "vitest";
import { clients } from "../../../../adapters/composition/clients.ts";
import type { SessionId, WorkspaceId } from "../../../../machines/index.ts";
import type { SourceMessage } from "../../../../runtime/message.ts";
import { ProjectFolders } from "../../../../runtime/reading/around/project-folders.ts";

const LOCAL = "local:ada";
const type = clients.named()?.hook.type ?? "";
const hook = (session: string, cwd: unknown): object => ({
  ...{ session_id: session, hook_event_name: "SessionStart", source: "startup" },
  ...(cwd !== undefined && { cwd }),
});
const message = (session: string, data: unknown, more: object = {}): SourceMessage => ({
  ...{ door: "in", workspace: "w" as WorkspaceId, session: session as SessionId },
  ...{ id: "m", source: "claude-code", type, data, ...more },
});

describe("the folder of a session", () => {
  test("PROJECT-FOLDERS-1: a hook of this machine's user names it, also one that waits; no other sender and no other message does", () => {
    const folders = new ProjectFolders(clients);
    for (const by of ["http:ada", "library", "nats:local:ada", "oidc:local:ada", ""])
      folders.heard(message("s", hook("s", "/a")), by);
    folders.heard(message("s", hook("s", "/a"), { type: "session.started" }), LOCAL);
    expect(folders.of("w", "s")).toBeUndefined();
    for (const cwd of [undefined, 7, "/a".repeat(512)]) folders.heard(message("s", hook("s", cwd)), LOCAL);
    for (const data of [undefined, 7, {}, { hook: {} }]) folders.heard(message("s", data), LOCAL);
    expect(folders.of("w", "s")).toBeUndefined();
    folders.heard(message("s", hook("s", "/b")), LOCAL);
    folders.heard(message("t", { hook: hook("t", "/c"), gate: {} }), LOCAL);
    expect([folders.of("w", "s"), folders.of("w", "t"), folders.of("v", "s")]).toEqual([
      "/b",
      "/c",
      undefined,
    ]);
  });

  test("PROJECT-FOLDERS-2, PROJECT-FOLDERS-3: the first one counts, of the 5,000 sessions heard last", () => {
    const folders = new ProjectFolders(clients);
    for (let n = 0; n < 5_001; n += 1)
      for (const cwd of [`/${n}`, "/"]) folders.heard(message(`s${n}`, hook(`s${n}`, cwd)), LOCAL);
    expect([folders.of("w", "s0"), folders.of("w", "s1"), folders.of("w", "s5000")]).toEqual([
      undefined,
      "/1",
      "/5000",
    ]);
  });
});
