// Highlighted
// Shows a shell command with its parts in different colours.
//
//   Owns:          making text nodes from the command's parts.
//   Does not own:  splitting the command into parts (the library `lowlight`), hidden characters (text.tsx).
//
// HIGHLIGHTED-1. The page shows every character of the command, and no other: the library adds only colours.

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
