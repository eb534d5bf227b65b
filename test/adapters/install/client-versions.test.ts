// Client versions
// What is put in for a version of the client, against the events that stand in the programs of those versions.

import { describe, expect, test } from "vitest";
import { isSince } from "../../../runtime/install-form.ts";
import { installForm } from "../../../adapters/claude-code/install.ts";
import { checkClient, clientGiven, knownEvents } from "../../../adapters/install/index.ts";

/** By version: all hook events that its own program lists. */
const LISTED: readonly (readonly [version: string, events: string])[] = [
  [
    "2.0.45",
    "PreToolUse PostToolUse Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest",
  ],
  [
    "2.0.55",
    "PreToolUse PostToolUse Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest",
  ],
  [
    "2.0.56",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest",
  ],
  [
    "2.0.77",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest",
  ],
  [
    "2.1.62",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest Setup TeammateIdle TaskCompleted ConfigChange WorktreeCreate WorktreeRemove",
  ],
  [
    "2.1.63",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PermissionRequest Setup TeammateIdle TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove",
  ],
  [
    "2.1.77",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop SubagentStart SubagentStop PreCompact PostCompact PermissionRequest Setup TeammateIdle TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded",
  ],
  [
    "2.1.78",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest Setup TeammateIdle TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded",
  ],
  [
    "2.1.87",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged",
  ],
  [
    "2.1.88",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged",
  ],
  [
    "2.1.100",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged",
  ],
  [
    "2.1.117",
    "PreToolUse PostToolUse PostToolUseFailure Notification UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged",
  ],
  [
    "2.1.118",
    "PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact PermissionRequest PermissionDenied Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged",
  ],
];
const NEWEST = knownEvents(installForm);

describe("CLIENT-VERSIONS-1: the events that a client is given", () => {
  test.each(LISTED)("CLIENT-VERSIONS-1: %s is given each that it knows, and no other", (version, listed) => {
    const known = listed.split(" ");
    expect(knownEvents(installForm, version)).toEqual(NEWEST.filter((event) => known.includes(event)));
    expect(knownEvents(installForm, clientGiven(installForm, knownEvents(installForm, version)))).toEqual(
      knownEvents(installForm, version),
    );
  });

  test("CLIENT-VERSIONS-1: a later one, or one that nobody named, is given all", () => {
    for (const version of ["2.1.119", "2.2.0", "3.0.0"])
      expect(knownEvents(installForm, version)).toEqual(NEWEST);
  });

  test("CLIENT-VERSIONS-1: one that has no hook for what it asks about is refused", () => {
    for (const version of ["2.0.44", "1.0.128", "0.2.9"])
      expect(() => checkClient(installForm, { client: version })).toThrow(
        `Claude Code ${version} calls no hook`,
      );
  });

  test("CLIENT-VERSIONS-1: hooks of which one was taken out are those of no version", () => {
    for (const event of ["Stop", "PermissionDenied", "Elicitation"])
      expect(
        clientGiven(
          installForm,
          NEWEST.filter((each) => each !== event),
        ),
      ).toBeUndefined();
  });

  test("CLIENT-VERSIONS-1: versions are compared by their numbers", () => {
    expect([isSince("2.1.100", "2.1.88"), isSince("2.1.9", "2.1.88"), isSince("2.10.0", "2.9.9")]).toEqual([
      true,
      false,
      true,
    ]);
    expect([isSince("2.1.88", "2.1.88"), isSince("1.9.9", "2.0.0")]).toEqual([true, false]);
  });
});

describe("CLAUDE-CODE-INSTALL-1: what a gate does not hold", () => {
  const said = (version: string, choice: "permission" | "all" | "none"): string =>
    installForm.limits(version, choice).join(" ");

  test("CLAUDE-CODE-INSTALL-1: before 2.1.268 a gate for what the client asks about is not asked headless", () => {
    expect(said("2.1.267", "permission")).toMatch(/calls no hook when it runs headless.*--gate all/);
    expect([said("2.1.268", "permission"), said("2.1.267", "none")]).toEqual(["", ""]);
  });

  test("CLAUDE-CODE-INSTALL-1: before 2.1.295 a gate for every call that is killed decides nothing", () => {
    expect(said("2.1.294", "all")).toMatch(/follows its own rules/);
    expect([said("2.1.295", "all"), said("2.1.294", "none")]).toEqual(["", ""]);
  });
});

test("CLAUDE-CODE-INSTALL-2: a client that writes no word for a refusal is told of, whatever waits", () => {
  for (const choice of ["permission", "all", "none"] as const) {
    const said = (version: string): string => installForm.limits(version, choice).join(" ");
    expect(said("2.1.185")).toMatch(/its own rules deny: they are shown as failed/);
    expect(said("2.1.113")).toMatch(/its own rules deny: they are shown as failed/);
    expect(said("2.1.112")).toMatch(
      /deny: denied calls of MCP tools and web tools, and calls that start subagents, are shown as failed/,
    );
    expect(said("2.1.186")).not.toContain("shown as failed");
  }
});
