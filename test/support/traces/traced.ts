// Traced
// An engine that is told to a tracer of OpenTelemetry's SDK, and what that exports.
//
//   Owns:          composing both, deciding as a person does.
//   Does not own:  what the spans should be.

import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { ApiSink } from "../../../adapters/traces/index.ts";
import type { ApprovalId, SessionId } from "../../../machines/index.ts";
import { Queries } from "../../../runtime/reading/queries.ts";
import { tellSpans } from "../../../runtime/traces/span-sink.ts";
import { Rig, type RigOptions, WORKSPACE } from "../engine/rig.ts";

export class Traced {
  readonly rig: Rig;
  readonly sink: ApiSink;
  readonly queries: Queries;
  readonly #exporter: InMemorySpanExporter;

  private constructor(rig: Rig, sink: ApiSink, exporter: InMemorySpanExporter) {
    this.rig = rig;
    this.sink = sink;
    this.queries = new Queries(rig.engine);
    this.#exporter = exporter;
    rig.engine.onChanges((changes) => tellSpans(sink, changes));
  }

  static async start(options: RigOptions = {}): Promise<Traced> {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const sink = new ApiSink(provider.getTracer("signalbox"));
    const traced = new Traced(new Rig(options), sink, exporter);
    await traced.rig.engine.start();
    return traced;
  }

  /** What the SDK has exported. */
  get spans(): readonly ReadableSpan[] {
    return this.#exporter.getFinishedSpans();
  }

  /** Somebody decides on what was shown. */
  async decide(session: string, id: string, decision: "approve" | "deny", by = "http:ann"): Promise<void> {
    const inputHash = this.queries.getApproval(id, { workspace: WORKSPACE })?.inputHash;
    const approvalId = id as ApprovalId;
    await this.rig.engine.own(WORKSPACE, session as SessionId, {
      ...{ type: "decision", approvalId, decision, by },
      ...(inputHash !== undefined && { inputHash }),
    });
  }
}
