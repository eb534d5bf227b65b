// Faults
// What is wrong with an answer, by the document that describes it.
//
//   Owns:          finding its schema by status, holding the answer against it.
//   Does not own:  the document, what is asked.

import { z } from "zod";
import { at } from "../engine/json.ts";
import { closed } from "./closed.ts";

type Faults = (method: string, path: string, status: number, body: unknown) => readonly string[];

/** @param document an OpenAPI one. */
export function faultsBy(document: unknown): Faults {
  const definitions = closed(at(document, "components", "schemas"));
  return (method, path, status, body) => {
    const answers = at(document, "paths", path, method.toLowerCase(), "responses");
    const answer = at(answers, String(status)) ?? at(answers, "default");
    const whole = {
      ...(closed(at(answer, "content", "application/json", "schema")) as object),
      $defs: definitions,
    };
    const local = JSON.stringify(whole).replaceAll("#/components/schemas/", "#/$defs/");
    const read = z
      .fromJSONSchema(JSON.parse(local) as Parameters<typeof z.fromJSONSchema>[0])
      .safeParse(body);
    return read.success ? [] : read.error.issues.map((issue) => JSON.stringify(issue));
  };
}
