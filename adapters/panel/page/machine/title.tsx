// Machine: title
// The heading of a machine's page: what the actor is about, then its kind and id.
//
//   Owns:          which part of a view says what an actor is about.
//   Does not own:  the gist of an input (runtime/text/gist).

import { gistOf } from "../../../../runtime/text/gist.ts";
import { titleLine } from "../../../../runtime/text/title-line.ts";
import { Line } from "../parts/text.tsx";
import type { MachineKind } from "./definition.ts";

interface Props {
  readonly kind: MachineKind;
  readonly id: string;
  readonly view: unknown;
}

/** The fields of a session's, a request's, a call's or an approval's view that say what it is about. */
interface About {
  readonly title?: string;
  readonly prompt?: string;
  readonly tool?: string;
  readonly input?: unknown;
}

export function Title({ kind, id, view }: Props) {
  const { title, prompt, tool, input } = (view ?? {}) as About;
  const words = tool ?? titleLine(title ?? prompt ?? "");
  const gist = tool === undefined ? "" : gistOf(input, tool);
  return (
    <h1 id="machine-title">
      {words !== "" && (
        <span class="one-line about">
          <Line text={words} />{" "}
          {gist !== "" && (
            <code>
              <Line text={gist} />
            </code>
          )}
        </span>
      )}
      <span class={words === "" ? "" : "quiet"}>
        {kind} <code>{id}</code>
      </span>
    </h1>
  );
}
