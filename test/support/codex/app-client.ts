// App client
// A scripted client of Codex's app-server: it starts a thread behind the proxy, and answers as it is told to.
//
//   Owns:          its words in the app-server's protocol.
//   Does not own:  what it hears (client), the app-server (app-server.ts), what is expected.

import type { ChildProcess } from "node:child_process";
import { Client, type Heard, type Reply } from "../agent-proxy/client.ts";
import { at, textAt } from "../engine/json.ts";
import type { Step } from "./app-server.ts";

export const PERMISSIONS = "item/permissions/requestApproval";
export const ELICITATION = "mcpServer/elicitation/request";

const decides =
  (decision: unknown): Reply =>
  () => ({ decision });

const COMMAND = "item/commandExecution/requestApproval";
export const FILES = "item/fileChange/requestApproval";

type Words = readonly [Reply, Reply, Reply];
const DECISIONS: Words = [decides("accept"), decides("decline"), decides("acceptForSession")];
const grants =
  (scope: string): Reply =>
  ({ params }) => ({ permissions: params?.["permissions"], scope });
const acts =
  (action: string, content: unknown, meta: unknown): Reply =>
  () => ({ action, content, _meta: meta });
/** By the request that is answered. */
const WORDS: Readonly<Record<string, Words>> = {
  [PERMISSIONS]: [grants("turn"), () => ({ permissions: {}, scope: "turn" }), grants("session")],
  [ELICITATION]: [
    acts("accept", {}, null),
    acts("decline", null, null),
    acts("accept", {}, { persist: "always" }),
  ],
};

const says =
  (nth: 0 | 1 | 2): Reply =>
  (asked) =>
    (WORDS[asked.method ?? ""] ?? DECISIONS)[nth](asked);

export class AppClient extends Client {
  readonly dialog: string;
  readonly allows = says(0);
  readonly denies = says(1);
  readonly allowsAlways = says(2);
  readonly #thread: object;
  #turn = "";

  /** @param given the request that it waits for; how its thread begins, beside the folder. */
  constructor(
    child: ChildProcess,
    {
      dialog = COMMAND,
      ...thread
    }: {
      readonly dialog?: string;
      readonly approvalsReviewer?: string;
      readonly approvalPolicy?: string;
      readonly sandbox?: string;
    } = {},
    reply?: Reply,
  ) {
    super(child, {}, reply);
    [this.dialog, this.#thread] = [dialog, thread];
  }

  override async begin(cwd = "/home/dev/shop"): Promise<string> {
    const clientInfo = { name: "test", title: "Test", version: "1" };
    const { result } = await this.request("initialize", { clientInfo });
    this.send({ method: "initialized" });
    const { result: begun } = await this.request("thread/start", {
      ...{ cwd, approvalPolicy: "untrusted", sandbox: "danger-full-access", ...this.#thread },
    });
    this.session = textAt(at(begun, "thread"), "id") ?? "";
    // A model that is asked before its server's tools are there has none to call.
    if (this.dialog === ELICITATION)
      for (let nth = 0; ; nth++)
        if ((await this.told("mcpServer/startupStatus/updated", nth)).params?.["status"] === "ready") break;
    return (textAt(result, "userAgent") ?? "").split(" ")[0]?.replace("test/", "Codex ") ?? "";
  }

  prompt(...steps: readonly Step[]): Promise<Heard> {
    return this.promptText(JSON.stringify(steps));
  }

  override async promptText(text: string): Promise<Heard> {
    const before = this.heard.filter(({ method }) => method === "turn/completed").length;
    const input = [{ type: "text", text }];
    const { result } = await this.request("turn/start", { threadId: this.session, input });
    this.#turn = textAt(at(result, "turn"), "id") ?? "";
    return this.told("turn/completed", before);
  }

  override cancel(): void {
    void this.request("turn/interrupt", { threadId: this.session, turnId: this.#turn });
  }

  /** By the id that it knows its dialog by. */
  override async takenBack(): Promise<Heard> {
    const asked = await this.told(this.dialog);
    for (let nth = 0; ; nth++) {
      const told = await this.told("serverRequest/resolved", nth);
      if (told.params?.["requestId"] === asked.id) return told;
    }
  }
}
