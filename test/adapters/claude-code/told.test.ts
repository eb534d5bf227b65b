// Told
// What the client's list of a batch shows of each call: its own words are known, whatever else stands there is a text.

import { describe, expect, test } from "vitest";
import type { SourceInput } from "../../../machines/inputs.ts";
import { translateHook } from "../../../adapters/claude-code/index.ts";
import { prove } from "../../support/oracle/oracle.ts";
import { allRecordings } from "../../support/sessions/recording.ts";

const listed = (payload: unknown) => {
  const { inputs } = translateHook(payload);
  return inputs.flatMap((input: SourceInput) => (input.type === "tool.batch" ? input.calls : []));
};

const toldOf = (response: unknown) => {
  const call = { tool_name: "Bash", tool_input: {}, tool_use_id: "t1", tool_response: response };
  const [told] = listed({ session_id: "s1", hook_event_name: "PostToolBatch", tool_calls: [call] });
  return told && { told: told.told, error: told.error };
};

describe("what the model was told", () => {
  test.each([
    "PreToolUse:Bash hook error: not on a Friday",
    "Permission to use Bash with command rm -rf / has been denied.",
    "Permission to use Bash has been denied because Claude Code is running in don't ask mode. IMPORTANT: …",
    "Claude requested permissions to write to /home/dev/a, but you haven't granted it yet.",
    "The user doesn't want to proceed with this tool use. The tool use was rejected (…)",
  ])("TOLD-1, C4: is the client's own word for a refusal: %s", (text) => {
    expect(toldOf(text)).toEqual({ told: "refusal" });
    expect(toldOf([{ type: "text", text }])).toEqual({ told: "refusal" });
    expect(toldOf(`It said: ${text}`)).toEqual({ told: "text" });
  });

  test("TOLD-1: is an error of the client's own, what only a tool at work says, any text, or nothing", () => {
    expect(toldOf("<tool_use_error>No such tool</tool_use_error>")).toEqual({ error: "No such tool" });
    expect(toldOf("Exit code 2\nno such file")).toEqual({ told: "output" });
    expect(toldOf("     1→content")).toEqual({ told: "output" });
    expect(toldOf("mcp says no to six")).toEqual({ told: "text" });
    expect(toldOf({ bytes: 20_000, sha256: "0", head: "1\tcontent" })).toEqual({ told: "output" });
    for (const none of [undefined, null, 7]) expect(toldOf(none)).toEqual({});
  });

  test("TOLD-1: no recorded call that ran is shown as refused, and none that was denied as one at work", () => {
    let [ran, denied] = [0, 0];
    for (const recording of allRecordings()) {
      const ends = new Map(prove(recording, "all").map((each) => [each.toolUseId, each.execution]));
      for (const { value } of recording.hooks.lines) {
        const { payload } = value as { readonly payload: unknown };
        for (const { toolUseId = "", told } of listed(payload)) {
          const isDenied = ends.get(toolUseId) === "denied";
          if (isDenied) denied += 1;
          else ran += 1;
          expect([toolUseId, told]).not.toEqual([toolUseId, isDenied ? "output" : "refusal"]);
        }
      }
    }
    expect(denied).toBeGreaterThanOrEqual(5);
    expect(ran).toBeGreaterThan(100);
  });
});
