// Pictures
// Writes what every view of the panel looks like: three widths, light and dark.
//
//   Owns:          which views, widths and themes there are.
//   Does not own:  what is played to the engine (sessions).
//
// `npm run pictures [FOLDER]`; without a folder, one below the system's folder for what is temporary.

import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Line, Windows } from "./page.ts";
import { ASKING, DENIED, ODD, playOdd, playRefused, playSessions } from "./sessions.ts";

const WIDTHS = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;
const THEMES = ["light", "dark"] as const;

/** What of a view is there once it is drawn. */
const VIEWS: readonly (readonly [name: string, address: string, sign: string])[] = [
  ["inbox", "#/", ".card .fields"],
  ["inbox-odd", `#/inbox/${ODD.split("/")[0]}/odd-3`, ".card .whole"],
  ["overview", "#/overview", ".overview tbody tr"],
  ["session", `#/session/${DENIED}`, ".call"],
  ["session-call", `#/session/${DENIED}/r1-call-2`, ".details .changes li"],
  ["session-asking", `#/session/${ASKING}`, ".call.asking"],
  ["machine", `#/machine/${DENIED}/call/r1-call-2`, ".state.lit"],
  ["letters", "#/letters", ".letter"],
  ["nowhere", "#/session/w/never", ".empty"],
];

const folder = process.argv[2] ?? join(tmpdir(), "signalbox-pictures");
mkdirSync(folder, { recursive: true });
const windows = new Windows();
const line = new Line();
await windows.start();
await line.start();
try {
  await playSessions(line);
  await playOdd(line);
  await playRefused(line);
  for (const [width, height] of WIDTHS)
    for (const colorScheme of THEMES) {
      const isSmall = width < 500;
      const page = await windows.open(line, {
        ...{ viewport: { width, height }, colorScheme, reducedMotion: "reduce" },
        ...(isSmall && { isMobile: true, hasTouch: true }),
      });
      for (const [name, address, sign] of VIEWS) {
        await page.goto(`${line.url}/${address}`);
        await page.locator(sign).first().waitFor();
        await page.evaluate("new Promise((drawn) => setTimeout(drawn, 400))");
        await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) });
      }
      await page.context().close();
    }
  if (windows.troubles.length > 0) throw new Error(windows.troubles.join("\n"));
  process.stdout.write(`${folder}\n`);
} finally {
  await line.stop();
  await windows.close();
}
