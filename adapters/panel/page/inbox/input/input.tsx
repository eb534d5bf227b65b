// Input
// Shows a tool input to a person: a command in colours, an edit as removed and added lines, anything else field by field.
//
//   Owns:          choosing the form in which an input is shown, loading that form on demand, copying the input.
//   Does not own:  how each form looks (highlighted.tsx, changes.tsx, parts/json).

import { useState } from "preact/hooks";
import { Json } from "../../parts/json.tsx";
import { later } from "../../parts/later.tsx";
import { Text } from "../../parts/text.tsx";
import { editsOf } from "../../../../../runtime/reading/around/edits.ts";
import type { Spot } from "../name.ts";

const Highlighted = later(async () => (await import("./highlighted.tsx")).Highlighted, Text);
const Changes = later(async () => (await import("./changes.tsx")).Changes, Json);

/** A command longer than this is shown in pieces, without colours. */
const COMMAND_MAX = 4_000;
const LINES_MAX = 40;

interface Props {
  readonly tool: string;
  readonly input: unknown;
  /** True to show the buttons that copy the input. */
  readonly isAsked: boolean;
  readonly asked?: Spot | undefined;
}

export function InputView({ tool, input, isAsked, asked }: Props) {
  const edits = editsOf(tool, input);
  return (
    <div class="input">
      {edits ? (
        <Changes value={input} edits={edits} asked={asked} />
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
  return <pre class="value command">{isShort ? <Highlighted text={text} /> : <Text text={text} />}</pre>;
}

/** The fields whose text can be copied alone, the most telling first, each with its name on the button. */
const TELLING = [
  ["command", "command"],
  ["file_path", "path"],
  ["notebook_path", "path"],
  ["url", "address"],
] as const;

function Copies({ input }: { readonly input: unknown }) {
  const fields = new Map<string, unknown>(
    typeof input === "object" && input !== null ? Object.entries(input) : [],
  );
  const found = TELLING.map(([field, what]) => ({ what, text: fields.get(field) })).find(
    ({ text }) => typeof text === "string",
  );
  return (
    <div class="copies">
      {found && <Copy what={found.what} text={String(found.text)} />}
      <Copy what="JSON" text={JSON.stringify(input, null, 2)} />
    </div>
  );
}

/** The button that copies a text. Browsers allow copying only to a page that comes over https or from this machine. */
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
