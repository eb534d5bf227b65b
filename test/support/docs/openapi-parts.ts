// OpenAPI parts
// The parts that answers in the OpenAPI document are made of.
//
//   Owns:          references, JSON and plain answers.
//   Does not own:  which route has which (openapi-routes).

import type { OtherAnswers } from "./answers.ts";
import { text } from "./openapi-parameters.ts";
import type { Schema } from "./type-schemas.ts";

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
export const json = (schema: object): object => ({ "application/json": { schema } });

export const ok = (name: keyof OtherAnswers, description: string): object => ({
  description,
  content: json(ref(name)),
});
export const plain = (description: string, type = "text/plain"): object => ({
  description,
  content: { [type]: { schema: text } },
});
