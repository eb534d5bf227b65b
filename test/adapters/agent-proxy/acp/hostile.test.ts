// Hostile lines
// What an agent writes to have its editor do something that nobody allowed.

import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { acpProtocol } from "../../../../adapters/agent-proxy/acp/protocol.ts";
import { isHarmless } from "../../../../adapters/agent-proxy/harmless.ts";
import { readMessage } from "../../../../adapters/agent-proxy/message.ts";
import { played } from "../../../support/agent-proxy/played.ts";
import { hostileLines, methodsIn } from "../../../support/agent-proxy/lines.ts";

const hostile = hostileLines(
  ["terminal/create", "fs/write_text_file", "session/request_permission", "_x/run", "session/update"],
  { sessionId: "s1", command: "touch ran", path: "/ran", content: "x" },
  '{"jsonrpc":"2.0","method":"session/update","params":',
);

/** What nobody is answered for is the agent's own word; an editor could act only on these. */
const TOLD = ["told: terminal/create", "told: fs/write_text_file", "told: session/request_permission"];
const ACTS = (method: string): boolean =>
  method.startsWith("told: ") ? TOLD.includes(method) : method !== "session/update";
const CREATE = {
  jsonrpc: "2.0",
  id: 1,
  method: "terminal/create",
  params: { sessionId: "s1", command: "x" },
};
const text = JSON.stringify(CREATE);
const chunk = (said: string): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    method: "session/update",
    params: {
      sessionId: "s1",
      update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text: said } },
    },
  });

describe("hostile lines", () => {
  property.prop([fc.array(hostile, { minLength: 1, maxLength: 4 })], { numRuns: 3_000 })(
    "PROXY-1, PROXY-MESSAGE-1, HARMLESS-1, HARMLESS-2: no reader of what passes finds a request that lets something happen",
    async (lines) => {
      const { proxy, toClient } = played();
      for (const line of lines) proxy.agentSaid(line);
      await Promise.resolve();
      // What the proxy itself asks is a question.
      const passed = Buffer.from(toClient()).toString("latin1").split("\n");
      const acts = passed.flatMap((line) => methodsIn(Buffer.from(line, "latin1"))).filter(ACTS);
      expect(acts.filter((method) => method !== "session/request_permission")).toEqual([]);
      const asked = passed.filter((line) =>
        methodsIn(Buffer.from(line, "latin1")).includes("session/request_permission"),
      );
      for (const line of asked) expect(line).toContain('"id":"secret-');
      await proxy.leave();
    },
  );

  property.prop([fc.string({ unit: "binary" })])(
    "HARMLESS-1: words pass unread, unless they hold what could be a method, or an escape that could be a letter",
    (said) => {
      const line = Buffer.from(`${chunk(Buffer.from(said).toString())}\n`).toString("latin1");
      const isPlain =
        !/method|tool_call|session_info/i.test(said) &&
        !/\\[^"\\/bfnrt]/.test(chunk(said).replaceAll("\\\\", ""));
      expect(isHarmless(acpProtocol.harmless, line, 0, line.length)).toBe(isPlain);
    },
  );

  it("HARMLESS-1: a long text of escapes passes unread, too, and not if one of them could be a letter", () => {
    const escapes = chunk("@").replace("@", "\\n\\\\".repeat(6_000_000));
    const letter = escapes.replace('"}}}}', '\\u006d"}}}}');
    const isPassed = (line: string): boolean => isHarmless(acpProtocol.harmless, line, 0, line.length);
    expect([isPassed(escapes), isPassed(letter), letter.length > escapes.length]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it.each([
    ["a batch", `[${text}]`],
    ["a key that stands twice", text.replace('"id":1', '"id":1,"method":"session/update"')],
    ["a key that stands twice in its parameters", text.replace('"params":{', '"params":{"a":1,"\\u0061":2,')],
    ["a key in another case", text.replace('"method"', '"Method"')],
    ["a line within a line", `{"jsonrpc":"2.0","method":"session/update","params":{"a":\r${text}\r}}`],
    ["two values", `${chunk("a")}\r${text}`],
    ["a request without an id", text.replace('"id":1,', "")],
    ["an id that is an object", text.replace('"id":1', '"id":{}')],
    ["an id that no double holds", text.replace('"id":1', '"id":12345678901234567890')],
    ["no JSON", text.slice(1)],
    [
      "a byte that is no UTF-8",
      Buffer.concat([Buffer.from(text.slice(0, -2)), Buffer.from([0xff]), Buffer.from("}}")]),
    ],
    ["a byte order mark", `\ufeff${text}`],
  ])("PROXY-1: %s goes no further, and is told", async (_, line) => {
    const { proxy, toClient, asked, said } = played();
    proxy.agentSaid(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
    await Promise.resolve();
    expect([toClient().length, asked.length, said.length]).toEqual([0, 0, 1]);
  });

  it("PROXY-MESSAGE-1: a method that is spelled with escapes is what it spells", () => {
    const line = text.replace("terminal", "\\u0074erminal");
    expect(readMessage(Buffer.from(line))).toMatchObject({ type: "request", method: "terminal/create" });
  });

  it("PROXY-LINES-1, PROXY-1: what passes does so byte for byte, however it is cut", async () => {
    const lines = [
      chunk("hello"),
      `{ "jsonrpc":"2.0" , "id" : 7, "result":{ "a":1.0 } }\r`,
      chunk("é \\ \u2028 end"),
    ];
    const whole = Buffer.from(`${lines.join("\n")}\n`);
    for (const size of [1, 7, whole.length]) {
      const { proxy, toClient } = played();
      for (let at = 0; at < whole.length; at += size) proxy.agentSaid(whole.subarray(at, at + size));
      await Promise.resolve();
      expect(toClient().toString()).toBe(whole.toString());
    }
  });
});
