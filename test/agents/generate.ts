// Generate
// The part of the stand-in that speaks as Gemini's API does (generateContent).
//
//   Owns:          its words.
//   Does not own:  what the model says (given), the server (model).

import type { ServerResponse } from "node:http";

interface Part {
  readonly text?: string;
  readonly functionResponse?: { readonly id?: string; readonly response?: unknown };
}

export interface GenerateSent {
  readonly contents?: readonly { readonly parts?: readonly Part[] }[];
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name?: string }[] }[];
}

const USAGE = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

/** The names of its tools. */
export const toolsIn = ({ tools = [] }: GenerateSent): readonly (string | undefined)[] =>
  tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name));

/** What it tells of each call. */
export const resultsIn = ({ contents = [] }: GenerateSent): readonly (readonly [string, unknown])[] =>
  contents
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ functionResponse: told }) =>
      told?.id === undefined ? [] : [[told.id, told.response] as const],
    );

/** @param calls none: the model says that it is done. */
export function generate(
  response: ServerResponse,
  calls: readonly { readonly id: string; readonly name: string; readonly args: object }[],
): void {
  const said = calls.map((functionCall) => ({ functionCall }));
  const parts = said.length > 0 ? said : [{ text: "done" }];
  const candidates = [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }];
  response.setHeader("Content-Type", "text/event-stream");
  response.end(`data: ${JSON.stringify({ candidates, usageMetadata: USAGE })}\n\n`);
}
