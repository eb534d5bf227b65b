// Editor
// A scripted editor: it starts a session with an agent behind the proxy, and answers as it is told to.
//
//   Owns:          its words in the Agent Client Protocol.
//   Does not own:  what it hears (client), the agent (agent.ts), what is expected.

import type { ChildProcess } from "node:child_process";
import { Client, type Heard, type Reply } from "../agent-proxy/client.ts";
import { at, textAt } from "../engine/json.ts";
import type { Step } from "./agent.ts";

/** Picks the option of a kind. */
export const picks =
  (kind: string): Reply =>
  ({ params }) => {
    const options = (params?.["options"] ?? []) as readonly { optionId: string; kind: string }[];
    const optionId = options.find((each) => each.kind === kind)?.optionId;
    return { outcome: { outcome: "selected", optionId } };
  };

export class Editor extends Client {
  readonly dialog = "session/request_permission";
  readonly allows = picks("allow_once");
  readonly denies = picks("reject_once");
  readonly allowsAlways = picks("allow_always");

  constructor(child: ChildProcess, reply?: Reply) {
    super(child, { jsonrpc: "2.0" }, reply);
  }

  override async begin(cwd = "/home/dev/shop"): Promise<string> {
    const { result } = await this.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { result: begun } = await this.request("session/new", { cwd, mcpServers: [] });
    this.session = textAt(begun, "sessionId") ?? "";
    return [at(result, "agentInfo", "name"), at(result, "agentInfo", "version")].filter(Boolean).join(" ");
  }

  prompt(...steps: readonly Step[]): Promise<Heard> {
    return this.promptText(JSON.stringify(steps));
  }

  override promptText(text: string): Promise<Heard> {
    return this.request("session/prompt", { sessionId: this.session, prompt: [{ type: "text", text }] });
  }

  override cancel(): void {
    this.send({ method: "session/cancel", params: { sessionId: this.session } });
  }

  override takenBack(): Promise<Heard> {
    return this.told("$/cancel_request");
  }
}
