// Hostile lines of Codex's app-server
// What it writes to have its client do something that nobody allowed.

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { codexProtocol } from "../../../../adapters/agent-proxy/codex/protocol.ts";
import { isHarmless } from "../../../../adapters/agent-proxy/harmless.ts";
import { hostileLines, methodsIn } from "../../../support/agent-proxy/lines.ts";
import { played, settled } from "../../../support/agent-proxy/played.ts";
import { codexRig } from "../../../support/codex/rig.ts";
import { at, textAt } from "../../../support/engine/json.ts";

const DELTA = "item/agentMessage/delta";
const HELD = [
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "execCommandApproval",
  "item/tool/call",
  "item/new",
];
const hostile = hostileLines(
  [...HELD, DELTA],
  { threadId: "t1", turnId: "u1", itemId: "c1", command: "touch ran", fileChanges: {} },
  `{"method":"${DELTA}","params":`,
);
/** A client could act on these alone without an id. */
const TOLD = HELD.slice(0, 4).map((method) => `told: ${method}`);
const acts = (method: string): boolean =>
  method.startsWith("told: ") ? TOLD.includes(method) : HELD.includes(method);
const delta = (said: string): string =>
  `${JSON.stringify({ method: DELTA, params: { threadId: "t1", delta: said }, emittedAtMs: 1 })}\n`;

describe("hostile lines", () => {
  property.prop([fc.array(hostile, { minLength: 1, maxLength: 4 })], { numRuns: 3_000 })(
    "PROXY-1, PROXY-MESSAGE-1, HARMLESS-1, HARMLESS-2: no reader of what passes finds a request that lets something happen, but under an id of the proxy's",
    async (lines) => {
      const { proxy, toClient } = played(60_000, codexProtocol);
      for (const line of lines) proxy.agentSaid(line);
      await Promise.resolve();
      const passed = Buffer.from(toClient()).toString("latin1").split("\n");
      const acting = passed.filter((line) => methodsIn(Buffer.from(line, "latin1")).some(acts));
      for (const line of acting) expect(line).toMatch(/^\{"id":"secret-/);
      await proxy.leave();
    },
  );

  property.prop([fc.string({ unit: "binary" })])(
    "HARMLESS-1: words pass unread, unless they hold what could be a method, or an escape that could be a letter",
    (said) => {
      const line = Buffer.from(delta(Buffer.from(said).toString())).toString("latin1");
      const isPlain = !/method/i.test(said) && !/\\[^"\\/bfnrt]/.test(line.replaceAll("\\\\", ""));
      expect(isHarmless(codexProtocol.harmless, line, 0, line.length)).toBe(isPlain);
    },
  );

  it("PROXY-3, PROXY-GATES-4: an agent that was interrupted cannot tell the id of a later dialog, nor use an id of the proxy", async () => {
    const rig = codexRig();
    rig.asks("item/permissions/requestApproval", { permissions: {}, itemId: "call_1" });
    await settled();
    await rig.ends(0, { type: "deny", message: "", interrupt: true });
    const [seen = ""] = rig.agentHeard().flatMap((each) => {
      const id = at(each, "id");
      return typeof id === "string" ? [id] : [];
    });
    expect(seen).toMatch(/^signalbox-[0-9a-f]{32}-\d+$/);
    rig.asks("item/permissions/requestApproval", { permissions: {}, itemId: "call_2" }, 2);
    await settled();
    const later = textAt(rig.dialog(1), "id") ?? "";
    const prefixOf = (id: string): string => id.slice(0, id.lastIndexOf("-"));
    expect(later).not.toContain(prefixOf(seen));
    expect(seen).not.toContain(prefixOf(later));
    const before = rig.clientHeard().length;
    for (const id of [seen, later])
      rig.agent({ id, method: "item/tool/requestUserInput", params: { threadId: "t1", questions: [] } });
    await settled();
    expect(rig.clientHeard()).toHaveLength(before);
    await rig.proxy.leave();
  });

  it("CODEX-ASKED-2: an input with a number that would change is not asked about, and is refused", async () => {
    const rig = codexRig();
    const params = '{"threadId":"t1","turnId":"u1","name":"delete","arguments":{"id":1234567890123456789}}';
    rig.proxy.agentSaid(Buffer.from(`{"id":7,"method":"item/tool/call","params":${params}}\n`));
    await settled();
    expect([rig.asked.length, rig.clientHeard().length]).toEqual([0, 0]);
    expect(rig.agentHeard()).toMatchObject([
      { id: 7, error: { message: expect.stringMatching(/1234567890123456789/) as string } },
    ]);
    await rig.proxy.leave();
  });

  it("PROXY-1: what passes does so byte for byte", async () => {
    const { proxy, toClient } = played(60_000, codexProtocol);
    const whole = Buffer.from(
      `${delta("hé \\ \u2028")}{ "id" : 7, "result":{ "a":1.0 } }\r\n{"method":"new/thing"}\n`,
    );
    proxy.agentSaid(whole);
    await Promise.resolve();
    expect(toClient().toString()).toBe(whole.toString());
  });
});
