// Running
// Checks whether an engine runs on the data folder, and reports the troubles that the engine itself has found.
//
//   Owns:          turning the troubles that an engine reports into findings.
//   Does not own:  noticing troubles (the engine), what an operator does about a trouble (docs/how-to/operations.md).

import { z } from "zod";
import { textOf } from "../../../runtime/line/exchange.ts";
import { dataOption } from "../background/behind.ts";
import type { Folder } from "../wiring.ts";
import { type Finding, look, ok, tried } from "./finding.ts";

const ANSWER_MS = 5_000;
const readiness = z.looseObject({
  ready: z.boolean(),
  reasons: z
    .array(
      z.looseObject({ code: z.string(), message: z.string(), next: z.string(), isEssential: z.boolean() }),
    )
    .optional(),
});

export function runningFindings(
  folder: Pick<Folder, "dir" | "isDefault" | "engine">,
  url: string | undefined,
): Promise<readonly Finding[]> {
  return tried("engine", async () => {
    // `folder.engine` throws if the data folder belongs to another user, or if other users can write in it. `tried` makes a
    // finding of that error.
    const exchange = await folder.engine();
    if (url === undefined)
      return look(
        "engine",
        `none runs on ${folder.dir}`,
        `Start one: npx signalbox up -d${dataOption(folder)}`,
      );
    const signal = AbortSignal.timeout(ANSWER_MS);
    const answer = await exchange?.({ method: "GET", path: "/readyz", signal });
    const { ready, reasons = [] } = readiness.parse(answer && JSON.parse(await textOf(answer)));
    const troubles = reasons.map(({ code, message, next, isEssential }): Finding => ({
      ...{ check: "engine", is: isEssential ? "wrong" : "look", found: message, next, code },
    }));
    if (troubles.length > 0) return troubles;
    if (ready) return ok("engine", `it runs at ${url}, and takes messages`);
    return look(
      "engine",
      `it runs at ${url}, and still reads its journal`,
      "Wait until the engine has read its journal; npx signalbox doctor shows when.",
    );
  });
}
