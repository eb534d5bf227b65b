// Summary
// Sums a session up in figures: calls, failed calls, how long each tool took, and tokens if the client reports them.
//
//   Owns:          counting the calls that the page has read, the words around the figures.
//   Does not own:  which calls the page has read (model.ts).

import type { CallView } from "../../../../runtime/rows/views.ts";
import { counted } from "../parts/counted.ts";
import { Heads } from "../parts/heads.tsx";
import { Line } from "../parts/text.tsx";
import { duration } from "../parts/time.tsx";
import { grouped, type RequestRow, rowsOf } from "./model.ts";

interface Tool {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** The times of calls that ran and ended, shortest first, ms. */
  readonly took: readonly number[];
}

const isFailed = ({ execution }: CallView): boolean => execution === "failed";

/** How long a call ran, as a list of one; empty for a call that did not run, or whose end is not known. */
const lasted = ({ execution, startedAt, closedAt, durationMs }: CallView): readonly number[] => {
  if (execution !== "completed" && execution !== "failed") return [];
  if (durationMs !== undefined) return [durationMs];
  return startedAt === undefined || closedAt === undefined ? [] : [Math.max(0, closedAt - startedAt)];
};

function toolsOf(calls: readonly CallView[]): readonly Tool[] {
  const tools = Array.from(
    grouped(calls, ({ tool }) => tool),
    ([name, own]) => ({
      name,
      calls: own.length,
      failed: own.filter(isFailed).length,
      took: own.flatMap(lasted).sort((a, b) => a - b),
    }),
  );
  return tools.sort((a, b) => sum(b.took) - sum(a.took) || b.calls - a.calls);
}

const sum = (all: readonly number[]): number => all.reduce((total, each) => total + each, 0);
const middle = (sorted: readonly number[]): number => sorted[Math.floor(sorted.length / 2)] ?? 0;
const rate = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

interface Props {
  readonly requests: readonly RequestRow[];
  /** True if the engine knows more calls than are on the page. */
  readonly isPart: boolean;
}

export function Summary({ requests, isPart }: Props) {
  const calls = requests.flatMap(rowsOf).map(({ call }) => call);
  if (calls.length === 0) return null;
  const failed = calls.filter(isFailed).length;
  const ended = calls.filter((call) => call.execution === "completed" || isFailed(call)).length;
  const tokens = sum(requests.flatMap(({ request }) => request.tokens ?? []));
  const parts = [
    counted(calls.length, "call") + (isPart ? " of those loaded" : ""),
    ...(ended > 0
      ? [`${failed.toLocaleString()} of ${ended.toLocaleString()} that ran failed (${rate(failed, ended)})`]
      : []),
    ...(tokens > 0 ? [`${tokens.toLocaleString()} tokens told`] : []),
  ];
  return (
    <details class="summary">
      <summary>{parts.join(" · ")}</summary>
      <div class="wide" tabIndex={0} role="region" aria-label="Tools">
        <table class="calls">
          <Heads names={["Tool", "Calls", "Failed", "Usually", "Longest", "In all"]} />
          <tbody>
            {toolsOf(calls).map((tool) => (
              <ToolRow key={tool.name} tool={tool} />
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function ToolRow({ tool: { name, calls, failed, took } }: { readonly tool: Tool }) {
  const times =
    took.length === 0 ? ["–", "–", "–"] : [middle(took), took.at(-1) ?? 0, sum(took)].map(duration);
  return (
    <tr>
      <th scope="row">
        <Line text={name} />
      </th>
      <td class="number">{calls.toLocaleString()}</td>
      <td class="number">{failed === 0 ? "none" : `${failed.toLocaleString()} (${rate(failed, calls)})`}</td>
      {times.map((time, index) => (
        <td key={index} class="number">
          {time}
        </td>
      ))}
    </tr>
  );
}
