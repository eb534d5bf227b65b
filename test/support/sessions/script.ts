// Script
// Turns wishes into inputs that refer to earlier calls, prompts and approvals.
//
//   Owns:          the steps of a generated session, and what they refer to.
//   Does not own:  which wishes (generate); putting a step to a session (session run).

import type { AgentId, ApprovalId, CascadePolicy, Input, RequestId } from "../../../machines/index.ts";
import { toolInput } from "../../../runtime/canonical.ts";
import type { Op } from "./wishes.ts";

/** An input, or one that can only be built once the approvals are known. */
export type Step =
  | { readonly hear: Input; readonly channel: string }
  | {
      readonly decide: number;
      readonly decision: "approve" | "deny";
      readonly hash: "shown" | "another" | "none";
      readonly interrupt: boolean;
    }
  /** The deadline of an approval is reached. */
  | { readonly expire: number }
  /** Time passes, and the deadline of a request is reached. */
  | { readonly hang: number; readonly afterMs: number }
  /** Time passes, and the deadline of the session is reached. */
  | { readonly quiet: number }
  /** The deadline of a deferred call is reached. */
  | { readonly forgo: number }
  /** A minute passes, and results without a call are given up. */
  | { readonly orphans: true };

export interface Session {
  readonly policy: CascadePolicy;
  /** Whether the source gives its calls ids. */
  readonly named: boolean;
  readonly steps: readonly Step[];
}

interface Mentioned {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: number;
  readonly who: Who;
}

/** Who speaks, as a message says it. */
interface Who {
  readonly agentId?: AgentId;
  readonly parentToolUseId?: string;
}

/** A session for people to read: a line per step. */
export function story({ policy, named, steps }: Session): string {
  const lines = steps.map((step) => {
    if (!("hear" in step)) return JSON.stringify(step);
    const { type, ...rest } = step.hear;
    const said = JSON.stringify(rest).replaceAll(/"hash":"(\w{6})\w+"/g, "#$1");
    return `${step.channel} ${type} ${said}`;
  });
  return [`${policy}, ${named ? "ids" : "no ids"}`, ...lines].join("\n");
}

/** The same agent, as far as it is named. */
const isOf = (one: Who, other: Who): boolean =>
  one.agentId === other.agentId &&
  (one.agentId !== undefined || one.parentToolUseId === other.parentToolUseId);

export class Script {
  readonly #named: boolean;
  readonly #steps: Step[] = [];
  readonly #calls: Mentioned[] = [];
  #prompts = 0;

  constructor(named: boolean) {
    this.#named = named;
  }

  write(ops: readonly Op[]): readonly Step[] {
    for (const each of ops) this.#write(each);
    return this.#steps;
  }

  #hear(heard: Input, channel = "test.hook"): void {
    this.#steps.push({ hear: heard, channel });
  }

  #mention(tool: string, input: number, who: Who): Mentioned {
    const call = { toolUseId: `t${this.#calls.length}`, tool, input, who };
    this.#calls.push(call);
    return call;
  }

  /** One of the last eight calls mentioned. */
  #recent(pick: number): Mentioned | undefined {
    return this.#calls.at(-1 - (pick % Math.min(8, Math.max(1, this.#calls.length))));
  }

  #ref({ toolUseId, tool, input }: Mentioned, withId = true) {
    const like = { tool, input: toolInput({ n: input }) };
    return this.#named && withId ? { toolUseId, ...like } : like;
  }

  #by(who: Who) {
    return this.#prompts > 0 ? { ...who, promptId: `p${this.#prompts}` } : who;
  }

  #who({ agent, under }: { readonly agent: AgentId | undefined; readonly under: number | undefined }): Who {
    const call = under === undefined ? undefined : this.#recent(under);
    return {
      ...(agent !== undefined && { agentId: agent }),
      ...(call && { parentToolUseId: call.toolUseId }),
    };
  }

  #write(each: Op): void {
    switch (each.op) {
      case "prompt": {
        if (!each.again || this.#prompts === 0) this.#prompts += 1;
        return this.#hear({ type: "prompt.submitted", promptId: `p${this.#prompts}`, text: "go" });
      }
      case "announce": {
        const who = this.#who(each);
        const call = this.#mention(each.tool, each.input, who);
        const message = each.message === undefined ? {} : { messageId: `m${this.#prompts}_${each.message}` };
        return this.#hear(
          { type: "tool.announced", call: this.#ref(call), ...who, ...message },
          "test.stream",
        );
      }
      case "burst": {
        const messageId = `b${this.#steps.length}`;
        const who = this.#who(each);
        for (const [index, tool] of each.calls.entries()) {
          const call = this.#ref(this.#mention(tool, (each.input + index) % 4, who));
          this.#hear({ type: "tool.announced", call, messageId, ...who }, "test.stream");
        }
        return;
      }
      case "begin": {
        const who = this.#who(each);
        const call = this.#mention(each.tool, each.input, who);
        return this.#hear({ type: "tool.started", call: this.#ref(call), ...this.#by(who) });
      }
      case "unmatched": {
        const who = this.#who(each);
        const call = this.#mention(each.tool, each.input, who);
        const said = { call: this.#ref(call), output: each.text, ...this.#by(who) };
        return this.#hear({ type: "tool.finished", ...said });
      }
      case "wonder": {
        const who = this.#who(each);
        const call = this.#mention(each.tool, each.input, who);
        const said = { call: this.#ref(call), channel: each.channel, ...this.#by(who) };
        return this.#hear({ type: "approval.requested", ...said });
      }
      case "batch": {
        const by = this.#who(each);
        const own = this.#calls.filter(({ who }) => isOf(who, by)).slice(-1 - each.last);
        if (each.unseen) own.splice(1, 0, this.#mention("Read", 0, by));
        return this.#hear({
          type: "tool.batch",
          calls: own.map((call, index) => ({
            ...this.#ref(call),
            ...(each.erred && index === 1 && { error: "no such tool" }),
            ...(each.told && index !== 1 && { told: each.told }),
          })),
          ...this.#by(by),
        });
      }
      case "early":
        return this.#hear(
          {
            type: "decision",
            approvalId: `g${each.own}` as ApprovalId,
            decision: each.decision,
            by: "early",
            inputHash: toolInput({ n: 0 }).hash,
          },
          "own",
        );
      case "decide":
        this.#steps.push({
          decide: each.pick,
          decision: each.decision,
          hash: each.hash,
          interrupt: each.interrupt,
        });
        return;
      case "expire":
        this.#steps.push({ expire: each.pick });
        return;
      case "hang":
        this.#steps.push({ hang: each.pick, afterMs: each.afterMs });
        return;
      case "quiet":
        this.#steps.push({ quiet: each.afterMs });
        return;
      case "forgo":
        this.#steps.push({ forgo: each.pick });
        return;
      case "orphans":
        this.#steps.push({ orphans: true });
        return;
      case "repeat": {
        const step = this.#steps.at(-1 - each.pick);
        if (step) this.#steps.push(step);
        return;
      }
      case "stop":
        return this.#hear({ type: "turn.stopped", outcome: each.outcome, ...this.#by(this.#who(each)) });
      case "session":
        if (each.what === "gone") return this.#hear({ type: "process.gone" }, "own");
        if (each.what === "end") return this.#hear({ type: "session.ended" });
        return this.#hear({ type: "session.started", reason: each.what });
      case "agent": {
        const call = each.pick === undefined ? undefined : this.#recent(each.pick);
        const agentId = each.agent as AgentId;
        if (!call) return this.#hear({ type: "agent.started", agentId });
        return this.#hear({ type: "agent.linked", agentId, toolUseId: call.toolUseId });
      }
      case "gateway":
        return this.#hear({
          type: `request.${each.what}`,
          requestId: `r${each.id}` as RequestId,
        });
      case "start":
      case "result":
      case "ask":
      case "answer":
      case "withdraw": {
        const call = this.#recent(each.pick);
        if (call) this.#about(each, call);
      }
    }
  }

  #about(
    each: Extract<Op, { op: "start" | "result" | "ask" | "answer" | "withdraw" }>,
    about: Mentioned,
  ): void {
    const call = this.#ref(about);
    const { agentId, ...under } = about.who;
    // Not every message repeats which call it runs under.
    const by = this.#by(agentId === undefined ? under : each.pick % 2 === 0 ? about.who : { agentId });
    switch (each.op) {
      case "start":
        return this.#hear({ type: "tool.started", call, ...by });
      case "result": {
        if (each.how === "finished")
          return this.#hear({ type: "tool.finished", call, output: each.text, ...by });
        if (each.how === "failed" && each.mark === "unmarked")
          return this.#hear(
            { type: "tool.failed", call, error: each.text, bare: true, ...by },
            "test.telemetry",
          );
        if (each.how === "failed") return this.#hear({ type: "tool.failed", call, error: each.text, ...by });
        const file = each.mark === "terminal" ? "test.transcript" : undefined;
        if (each.how === "deferred") return this.#hear({ type: "tool.deferred", call, ...by }, file);
        if (each.how === "lost")
          return this.#hear({ type: "tool.lost", call, cause: "killed", ...by }, "test.stream");
        const begun = each.beforeRun === undefined ? {} : { beforeRun: each.beforeRun };
        const mark = each.mark === undefined ? {} : { [each.mark]: true };
        const denied = { call, verdict: each.how, ...begun, ...mark, ...by };
        return this.#hear({ type: "tool.denied", ...denied }, "test.stream");
      }
      case "ask": {
        const own = each.own === undefined ? {} : { approvalId: `g${each.own}` as ApprovalId };
        const ref = this.#ref(about, each.withId);
        const { channel, onDeadline } = each;
        return this.#hear({ type: "approval.requested", call: ref, channel, onDeadline, ...own, ...by });
      }
      case "answer": {
        const { decision, by: who, interrupt } = each;
        return this.#hear({ type: "approval.answered", call, decision, interrupt, ...by, by: who });
      }
      case "withdraw":
        return this.#hear({ type: "approval.withdrawn", call, ...by });
    }
  }
}
