// Hostile lines of Codex's app-server
// What it writes to have its client do something that nobody allowed.

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { codexProtocol } from "../../../../adapters/agent-proxy/codex/protocol.ts";
import { isHarmless } from "../../../../adapters/agent-proxy/harmless.ts";
import { hostileLines, methodsIn } from "../../../support/agent-proxy/lines.ts";
import { played } from "../../../support/agent-proxy/played.ts";

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
