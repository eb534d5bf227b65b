// Panel: every view
// Each view in light and dark, on a wide screen and on a narrow one: readable by everybody, and never wider than the screen.

import { describe, expect, it } from "vitest";
import { seen } from "../../support/panel/choose.ts";
import { findingsOn, withAxe } from "../../support/panel/axe.ts";
import { lineForAll, windowsForAll } from "../../support/panel/for-tests.ts";
import { shoot } from "../../support/panel/page.ts";
import { ASKING, DENIED, ODD, playOdd, playSessions } from "../../support/panel/sessions.ts";

const windows = windowsForAll();
const line = lineForAll(playSessions, playOdd, ({ engine }) =>
  // Refused: a dead letter.
  engine.send([
    { specversion: "1.0", id: "u", source: "test", type: "nobody.knows", subject: "w/s", data: {} },
  ]),
);

/** By name: the address, and what is there once the view is. */
const VIEWS = {
  inbox: ["#/inbox/q3", ".card.open .consequence"],
  "long input": ["#/inbox/odd-1", ".card.open .consequence"],
  edit: ["#/inbox/odd-3", ".card.open .change-row.added"],
  "no such question": ["#/inbox/nobody-asked", ".cards + *, [role=alert]"],
  session: [`#/session/${DENIED}`, ".call.taken"],
  call: [`#/session/${DENIED}/r1-call-2`, ".details .fields"],
  subagent: [`#/session/${ASKING}`, ".call.asking"],
  machine: [`#/machine/${DENIED}/call/r1-call-2`, ".state.lit"],
  request: [`#/machine/${DENIED}/request/r1`, ".state.lit"],
  "odd session": [`#/session/${ODD}`, ".request"],
  "no such session": ["#/session/w/nobody", "[role=alert]"],
  "no such call": [`#/session/${DENIED}/nobody`, ".details [role=alert]"],
  "session machine": [`#/machine/${DENIED}/session/rounding`, ".state.lit"],
  "approval machine": [`#/machine/${DENIED}/approval/q2`, ".state.lit"],
  "no such machine": ["#/machine/w/nobody/call/nobody", "[role=alert]"],
  overview: ["#/overview", ".counts"],
  rules: ["#/rules", ".rules h1"],
  answers: ["#/answers?by=tool", ".answers .wide tbody tr"],
  letters: ["#/letters", ".letter"],
} as const;

/** What stands over a view: the key that brings it, and what is there then. */
const OVER = {
  help: ["?", "dialog.help[open]"],
  notifications: ["n", "dialog.notifications[open]"],
  denying: ["d", ".reply textarea"],
  editing: ["e", ".reply textarea"],
} as const;

describe("the panel: every view", () => {
  it.each([1280, 390])(
    "Panel: at %i px, in light and in dark, nothing found by axe and no sideways scrolling",
    async (width) => {
      const page = await windows.open(line, {
        viewport: { width, height: width < 600 ? 844 : 900 },
        reducedMotion: "reduce",
      });
      await withAxe(page);
      const look = async (name: string): Promise<void> => {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const shown = `${name.replaceAll(" ", "-")}-${colorScheme}-${width}`;
          await shoot(page, shown);
          expect.soft([shown, await findingsOn(page)]).toEqual([shown, []]);
          const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
          expect.soft([shown, wide]).toEqual([shown, width]);
        }
      };
      for (const [name, [address, sign]] of Object.entries(VIEWS)) {
        await page.goto(`/?${encodeURIComponent(name)}${address}`);
        await page.locator(sign).first().waitFor();
        await page.locator(".link.live").waitFor();
        await look(name);
      }
      await page.goto("/#/inbox/odd-6");
      await page.locator(".card.open .consequence").waitFor();
      for (const [name, [key, sign]] of Object.entries(OVER)) {
        await seen(page);
        await page.keyboard.press(key);
        await page.locator(sign).waitFor();
        await look(name);
        await page.keyboard.press("Escape");
        await page.locator(sign).waitFor({ state: "detached" });
      }
      expect(windows.troubles.splice(0)).toEqual([]);
      await page.context().close();
    },
    180_000,
  );

  it("Panel: axe finds a fault planted in a view, so that finding nothing means something", async () => {
    const page = await windows.open(line, { reducedMotion: "reduce" });
    await withAxe(page);
    await page.goto("/?q3#/inbox/q3");
    await page.locator(".card.open .consequence").waitFor();
    await page.evaluate(`(() => {
      const plant = (name, looks) => {
        const it = document.createElement(name);
        for (const [key, value] of Object.entries(looks)) it.style.setProperty(key, value);
        document.querySelector("main").append(it);
        return it;
      };
      plant("button", {});
      plant("input", {});
      plant("p", { color: "#888", background: "#999" }).textContent = "Hard to read";
      plant("p", { color: "#666", background: "#fff" }).textContent = "Not easy to read";
      for (const word of ["small", "near"])
        plant("button", { padding: 0, "font-size": "8px" }).textContent = word;
      const box = plant("div", { height: "20px", overflow: "auto" });
      box.textContent = "scrolled ".repeat(2000);
    })()`);
    const found = (await findingsOn(page)).map((finding) => finding.split(":")[0]);
    expect(found.toSorted()).toEqual([
      "button-name",
      "color-contrast",
      "color-contrast-enhanced",
      "label",
      "scrollable-region-focusable",
      "target-size",
    ]);
  });
});
