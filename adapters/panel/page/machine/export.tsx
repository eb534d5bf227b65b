// Export
// Lets a person download a machine: its drawing, its definition as Mermaid, its state as JSON.
//
//   Owns:          making the files that a person downloads.
//   Does not own:  what is in the drawing, the definition and the state.

import type { RefObject } from "preact";
import type { MachineDefinition, MachineKind } from "./definition.ts";

interface Props {
  readonly kind: MachineKind;
  readonly id: string;
  readonly machine: MachineDefinition;
  readonly view: unknown;
  readonly drawing: RefObject<HTMLElement | null>;
}

export function Export({ kind, id, machine, view, drawing }: Props) {
  const { definition, mermaid, version } = machine;
  const state = { kind, id, version, view, definition };
  const files = [
    ["Mermaid", `${kind}.mmd`, "text/plain", () => mermaid],
    ["JSON", `${kind}-${id}.json`, "application/json", () => JSON.stringify(state, null, 2)],
    ["SVG", `${kind}-${id}.svg`, "image/svg+xml", () => svgOf(drawing.current)],
  ] as const;
  return (
    <div class="actions" role="group" aria-label="Export">
      <span class="quiet">Save as</span>
      {files.map(([name, file, type, text]) => (
        <button key={name} type="button" onClick={() => save(file, type, text())}>
          {name}
        </button>
      ))}
    </div>
  );
}

function save(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** A saved drawing has no style sheet, so each part of the drawing gets these properties itself. */
const LOOKS = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-size",
  "font-family",
  "font-weight",
];

function svgOf(box: HTMLElement | null): string {
  const shown = box?.querySelector("svg");
  if (!shown) return "";
  const copy = shown.cloneNode(true) as SVGSVGElement;
  const parts = shown.querySelectorAll<SVGElement>("rect, path, text, circle");
  for (const [index, part] of [...copy.querySelectorAll<SVGElement>("rect, path, text, circle")].entries()) {
    const like = parts[index];
    if (!like) continue;
    const looks = getComputedStyle(like);
    for (const name of LOOKS) part.setAttribute(name, looks.getPropertyValue(name));
  }
  return new XMLSerializer().serializeToString(copy);
}
