// Panel: inputs
// An edit as its changes, a command in colours, and nothing lost of either; which step a call is.

import { describe, expect, it } from "vitest";
import { lineForAll, windowsForAll } from "../../../support/panel/for-tests.ts";

const windows = windowsForAll();

const COMMAND = `echo "<img src=x onerror=pwned(1)>\u202e" && cat $HOME/a # <script>pwned(2)</script>`;

describe("the panel: what a call is given", () => {
  const call = (n: number, tool: string, input: object) => ({
    requestId: "r",
    toolUseId: `t${n}`,
    tool,
    input,
  });
  const CALLS = [
    call(1, "Bash", { command: COMMAND }),
    call(2, "MultiEdit", {
      file_path: "/a",
      edits: [
        { old_string: "one\ntwo\n", new_string: "one\n2<b>\n" },
        { old_string: "x", new_string: "y", replace_all: true },
      ],
    }),
    call(3, "Write", {
      file_path: "/b",
      content: Array.from({ length: 250 }, (_, n) => `line ${n}`).join("\n"),
    }),
  ];
  const line = lineForAll(async (line) => {
    await line.emit("w/s", ["session.started", { title: "S" }], ["request.created", { requestId: "r" }]);
    for (const [blockIndex, each] of CALLS.entries())
      await line.emit("w/s", ["tool.announced", { ...each, messageId: "m", blockIndex }]);
    for (const each of CALLS)
      await line.emit("w/s", ["approval.requested", { ...each, approvalId: `q-${each.toolUseId}` }]);
  });
  const at = (id: string, sign: string) => windows.openAt(line, `#/inbox/w/${id}`, sign);

  it("Panel, HIGHLIGHTED-1: a command is told apart by colours, and its text is the command's", async () => {
    const page = await at("q-t1", ".command .hljs-string");
    expect(await page.locator(".command").textContent()).toBe(COMMAND.replace("\u202e", "<U+202E>"));
    expect(await page.locator(".command mark").count()).toBe(1);
    expect(await page.locator(".command :is(img, script)").count()).toBe(0);
    await page.getByText(/^Step 1 of 3/).waitFor();
  });

  it("Panel, DIFF-1: an edit is shown as what goes and what comes, with the numbers of its lines", async () => {
    const page = await at("q-t2", ".change-row");
    const [first, second] = [0, 1].map((n) => page.getByRole("group", { name: "Changes" }).nth(n));
    const rowsOf = (group: typeof first) => group?.locator(".change-row").allTextContents();
    expect(await rowsOf(first)).toEqual(["11 one", "2−two", "2+2<b>"]);
    expect(await rowsOf(second)).toEqual(["1−x", "1+y"]);
    await page.getByText("Everywhere in the file").waitFor();
  });

  it("Panel: a file that is written has its lines numbered, and is shown whole on demand", async () => {
    const page = await at("q-t3", ".change-row");
    expect(await page.locator(".change-row").count()).toBe(200);
    await page.getByRole("button", { name: "50 more lines: show" }).click();
    expect(await page.locator(".change-row").last().innerText()).toContain("line 249");
  });

  it("Panel: a command can be copied as it is", async () => {
    const page = await at("q-t1", ".copies");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy command" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(COMMAND);
  });
});
