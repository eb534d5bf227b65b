// Panel: a story
// A morning of one team, for pictures: agents of three makers at work, a denial with its cascade, an edit that waits, and
// answers whose receipts say what became of them.
//
//   Owns:          what the agents do.
//   Does not own:  sending it (page), strange inputs (sessions), a day for the charts (a-day).

import type { Line } from "./page.ts";

type Said = readonly [type: string, data: object];
type Call = ReturnType<typeof call>;

export const CASCADE = "shop-4f2a91/rounding";
export const EDIT = "shop-4f2a91/tax";
export const EDIT_ASKED = "tax-edit";
const GUIDE = "docs-9b11c0/links";
const RELEASE = "platform-77e0d2/release";
const INVOICES = "billing-c3a5f8/invoices";
const CHARTS = "panel-51d9be/charts";

const call = (requestId: string, n: number, tool: string, input: object) => ({
  ...{ requestId, toolUseId: `${requestId}-call-${n}`, tool, input },
});

const announced = (of: object, messageId: string, blockIndex: number, why?: string): Said => [
  "tool.announced",
  {
    ...{ ...of, messageId, blockIndex },
    ...(why !== undefined && { intent: { text: why, source: "message", confidence: "certain" } }),
  },
];
const ran = (of: object, output: string, durationMs: number): readonly Said[] => [
  ["tool.started", of],
  ["tool.finished", { ...of, output, durationMs }],
];
const asked = (of: object, approvalId: string, more: object = {}): readonly Said[] => [
  ["tool.started", of],
  ["approval.requested", { ...of, approvalId, channel: "gateway", ...more }],
];
/** An answer with its receipt: the agent has it, and did as it says. */
const allowed = (of: Call, approvalId: string, by: string, output: string): readonly Said[] => [
  ["approval.answered", { ...of, approvalId, decision: "approve", by }],
  ["approval.taken", { approvalId, requestId: of.requestId, by: "gateway" }],
  ["tool.finished", { ...of, output, durationMs: 2_400 }],
];
const begun = (requestId: string, prompt: string, session: object): readonly Said[] => [
  ["session.started", session],
  ["request.created", { requestId, prompt }],
  ["request.processing", { requestId }],
];

const cascade = (): readonly Said[] => {
  const read = call("cent", 1, "Read", { file_path: "/home/you/shop/src/cart/total.ts" });
  const seek = call("cent", 2, "Grep", { pattern: "Math\\.round", path: "/home/you/shop/src" });
  const tests = call("cent", 3, "Bash", { command: "npm test -- cart" });
  const clean = call("cent", 4, "Bash", { command: "rm -rf node_modules/.cache dist" });
  const build = call("cent", 5, "Bash", { command: "npm run build" });
  const again = call("cent", 6, "Bash", { command: "npm test" });
  const commit = call("cent", 7, "Bash", { command: 'git commit -am "Round once, at the end"' });
  return [
    ...begun("cent", "The cart's total is off by a cent for three items. Find out why, and mend it.", {
      ...{ title: "The cart's total is off by a cent", cwd: "/home/you/shop", branch: "fix/rounding" },
      ...{ model: "large", client: "Claude Code 2.1.80" },
    }),
    announced(read, "m1", 0, "See how the total is added up"),
    announced(seek, "m1", 1, "Find every place that rounds"),
    ...ran(read, "export const total = …", 14),
    ...ran(seek, "3 places", 31),
    announced(tests, "m2", 0, "Run the cart's tests before changing anything"),
    ...asked(tests, "cent-tests"),
    ...allowed(tests, "cent-tests", "ann", "2 failed, 14 passed"),
    announced(clean, "m3", 0, "Build again without what was kept from before"),
    announced(build, "m3", 1),
    announced(again, "m3", 2),
    announced(commit, "m3", 3),
    ...asked(clean, "cent-clean"),
    [
      "approval.answered",
      { ...clean, approvalId: "cent-clean", decision: "deny", by: "ann", message: "Keep the cache." },
    ],
    ["request.failed", { requestId: "cent", error: "The user said no." }],
  ];
};

const guide = (): readonly Said[] => {
  const task = call("guide", 1, "Task", { description: "Look for dead links", prompt: "Read every page." });
  const under = { parentToolUseId: task.toolUseId };
  const read = { ...call("guide", 2, "Read", { file_path: "/home/you/docs/index.md" }), ...under };
  const fetch = { ...call("guide", 3, "WebFetch", { url: "https://example.org/guide" }), ...under };
  const next = { ...call("guide", 4, "WebFetch", { url: "https://example.org/start" }), ...under };
  return [
    ...begun("guide", "Mend every dead link of the guide.", {
      ...{ title: "Mend the links of the guide", cwd: "/home/you/docs", branch: "main" },
      ...{ client: "OpenCode 1.18.33" },
    }),
    announced(task, "m1", 0, "Let a helper read every page"),
    ["tool.started", task],
    announced(read, "m2", 0),
    announced(fetch, "m2", 1),
    announced(next, "m2", 2),
    ...ran(read, "# Guide", 12),
    ["tool.started", fetch],
    ["tool.failed", { ...fetch, error: "404 Not Found", durationMs: 240 }],
    ...asked(next, "guide-next"),
  ];
};

const edit = (): readonly Said[] => {
  const read = call("tax", 1, "Read", { file_path: "/home/you/shop/src/cart/tax.ts" });
  const tests = call("tax", 2, "Bash", { command: "npm test -- tax" });
  const change = call("tax", 3, "Edit", {
    file_path: "/home/you/shop/src/cart/tax.ts",
    old_string:
      "export const RATE = 0.19;\n\nexport function taxOf(net: number): number {\n  return Math.round(net * RATE);\n}",
    new_string:
      "const RATES: Record<Country, number> = { de: 0.19, at: 0.2, ch: 0.081 };\n\nexport function taxOf(net: number, country: Country): number {\n  return Math.round(net * RATES[country]);\n}",
  });
  const check = call("tax", 4, "Bash", { command: "npx tsc --noEmit" });
  const again = call("tax", 5, "Bash", { command: "npm test -- tax" });
  return [
    ...begun("tax", "We sell to Austria and Switzerland from May on: the tax depends on the country.", {
      ...{ title: "A tax rate for each country", cwd: "/home/you/shop", branch: "tax-by-country" },
      ...{ model: "large", client: "Claude Code 2.1.80" },
    }),
    announced(read, "m1", 0, "See how the tax is reckoned today"),
    ...ran(read, "export const RATE = 0.19;", 11),
    announced(tests, "m2", 0, "The tests must pass before the change"),
    ...asked(tests, "tax-tests"),
    ...allowed(tests, "tax-tests", "ann", "9 passed"),
    announced(change, "m3", 0, "Keep one rate for each country, and ask for the country"),
    announced(check, "m3", 1),
    announced(again, "m3", 2),
    ...asked(change, EDIT_ASKED),
  ];
};

const release = (): readonly Said[] => {
  const log = call("v24", 1, "Bash", { command: "git log --oneline -5" });
  const push = call("v24", 2, "Bash", { command: "git push --force origin release/24" });
  return [
    ...begun("v24", "Bring the release branch up to Node 24.", {
      ...{ title: "Move the release to Node 24", cwd: "/home/you/platform", branch: "release/24" },
      ...{ client: "Codex 0.52.0" },
    }),
    announced(log, "m1", 0),
    ...ran(log, "5 commits", 18),
    announced(push, "m2", 0, "The branch was rebased, so the remote must take the new history"),
    ...asked(push, "v24-push"),
  ];
};

const invoices = (): readonly Said[] => [
  ...begun("pdf", "Send each invoice as a PDF, too.", {
    ...{ title: "Invoices as PDF", cwd: "/home/you/billing", branch: "pdf", client: "Claude Code 2.1.80" },
  }),
  ...["npm install pdfkit", "npm test", "npm test", "npm test"].flatMap((command, n) => {
    const of = call("pdf", n + 1, "Bash", { command });
    return [announced(of, "m1", n), ...asked(of, `pdf-${n + 1}`)];
  }),
];

const charts = (): readonly Said[] => {
  const read = call("chart", 1, "Read", { file_path: "/home/you/panel/src/charts/axis.ts" });
  const write = call("chart", 2, "Write", { file_path: "/home/you/panel/src/charts/days.ts", content: "…" });
  const build = call("chart", 3, "Bash", { command: "npm run build" });
  return [
    ...begun("chart", "Draw the days of the last month as columns.", {
      ...{ title: "A chart of the last month", cwd: "/home/you/panel", branch: "charts" },
      ...{ client: "Copilot CLI 1.0.11" },
    }),
    announced(read, "m1", 0),
    ...ran(read, "export const axis = …", 9),
    announced(write, "m2", 0),
    ...ran(write, "written", 21),
    announced(build, "m3", 0, "Build it, to see the columns"),
    ["tool.started", build],
  ];
};

/** Everything of the morning; the line's pace lies between two events. */
export async function playStory(line: Line): Promise<void> {
  await line.emit(CASCADE, ...cascade());
  await line.emit(INVOICES, ...invoices());
  await line.emit(GUIDE, ...guide());
  await line.emit(RELEASE, ...release());
  await line.emit(CHARTS, ...charts());
  await line.emit(EDIT, ...edit());
}

/** One more approval, to be answered on the page. @param n makes its name its own. */
export async function askOnce(line: Line, n: number): Promise<string> {
  const of = call("tax", 10 + n, "Bash", { command: "npx prettier --check src/cart" });
  await line.emit(EDIT, announced(of, `m${10 + n}`, 0, "Check the form of the changed files"));
  await line.emit(EDIT, ...asked(of, `form-${n}`));
  return `form-${n}`;
}

/** What the agent tells once it has the answer to it: the receipt of the answer. */
export async function confirm(line: Line, n: number): Promise<void> {
  const of = call("tax", 10 + n, "Bash", { command: "npx prettier --check src/cart" });
  await line.emit(
    EDIT,
    ["approval.taken", { approvalId: `form-${n}`, requestId: "tax", by: "gateway" }],
    ["tool.finished", { ...of, output: "All matched files use Prettier code style!", durationMs: 620 }],
  );
}
