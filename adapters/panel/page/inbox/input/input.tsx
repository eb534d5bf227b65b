// Input
// A tool input for people: a command in colours, an edit as its changes, anything else by its fields.
//
//   Owns:          which form an input gets, copying the input.
//   Does not own:  the forms (highlighted.tsx, changes.tsx, parts/json).

import { useState } from "preact/hooks";
import { Json } from "../../parts/json.tsx";
import { Text } from "../../parts/text.tsx";
import { editsOf } from "../../../../../runtime/reading/around/edits.ts";
import type { Asked } from "./around.ts";
import { whenLoaded } from "./loaded.ts";

const useHighlighted = whenLoaded(async () => (await import("./highlighted.tsx")).Highlighted);
const useChanges = whenLoaded(async () => (await import("./changes.tsx")).Changes);

/** A command longer than this is shown in pieces, without colours. */
const COMMAND_MAX = 4_000;
const LINES_MAX = 40;

interface Props {
  readonly tool: string;
  readonly input: unknown;
  /** True if the approval is pending: only then there are buttons. */
  readonly isAsked: boolean;
  readonly asked?: Asked | undefined;
}

export function InputView({ tool, input, isAsked, asked }: Props) {
  const edits = editsOf(tool, input);
  const Changes = useChanges(edits !== undefined);
  return (
    <div class="input">
      {edits && Changes ? (
        <Changes edits={edits} asked={asked} />
      ) : (
        <Json value={input} {...(tool === "Bash" && { special: COMMAND })} />
      )}
      {isAsked && <Copies input={input} />}
    </div>
  );
}

const COMMAND = { command: (text: string) => <Command text={text} /> };

function Command({ text }: { readonly text: string }) {
  const isShort = text.length <= COMMAND_MAX && text.split("\n").length <= LINES_MAX;
  const Highlighted = useHighlighted(isShort);
  return (
    <pre class="value command">
      {isShort && Highlighted ? <Highlighted text={text} /> : <Text text={text} />}
    </pre>
  );
}

const TELLING = ["command", "file_path", "notebook_path", "url"] as const;

function Copies({ input }: { readonly input: unknown }) {
  const found = TELLING.map((name): readonly [string, unknown] => [
    name,
    typeof input === "object" && input !== null && Object.hasOwn(input, name)
      ? Reflect.get(input, name)
      : undefined,
  ]).find(([, value]) => typeof value === "string");
  return (
    <div class="copies">
      {found && <Copy what={NAMES[found[0]] ?? found[0]} text={String(found[1])} />}
      <Copy what="JSON" text={JSON.stringify(input, null, 2)} />
    </div>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  command: "command",
  file_path: "path",
  notebook_path: "path",
  url: "address",
};

/**
 * A button that copies a text. Browsers allow that only on a page served over https or from this machine; elsewhere there
 * is no button.
 */
function Copy({ what, text }: { readonly what: string; readonly text: string }) {
  const [said, say] = useState<string>();
  if (!isSecureContext) return null;
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not copied"),
    );
  return (
    <button type="button" class="plain" onClick={copy}>
      {said ?? `Copy ${what}`}
    </button>
  );
}
