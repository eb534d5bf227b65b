// Highlighted
// A shell command with its parts in colours.
//
//   Owns:          making text nodes of the library's tree. This file is loaded with the first command that a person
//                  looks at.
//   Does not own:  splitting the command into parts (the library), hidden characters (text.tsx).
//
// HIGHLIGHTED-1. The text shown is the command, character by character: the library adds only colours.

import bash from "highlight.js/lib/languages/bash";
import { createLowlight } from "lowlight";
import { useMemo } from "preact/hooks";
import { Text } from "../../parts/text.tsx";

const lowlight = createLowlight({ bash });

type Node = ReturnType<typeof lowlight.highlight>["children"][number];

export function Highlighted({ text }: { readonly text: string }) {
  const nodes = useMemo(() => lowlight.highlight("bash", text).children, [text]);
  return <>{nodes.map(shownAs)}</>;
}

function shownAs(node: Node, key: number) {
  if (node.type === "text") return <Text key={key} text={node.value} />;
  if (node.type !== "element") return null;
  const names = node.properties["className"];
  return (
    <span key={key} class={Array.isArray(names) ? names.join(" ") : ""}>
      {(node.children as Node[]).map(shownAs)}
    </span>
  );
}
