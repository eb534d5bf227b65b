// Peers
// Writes the list of peers with which the engines of partition 0 also show the approvals of all other partitions.
//
//   Owns:          the text of the list.
//   Does not own:  reading it (composition/cluster/peers-side).

import { stringify } from "yaml";
import { addressOf, type Layout } from "./layout.ts";

/** @param all the nodes of each partition. @param tokenFile the file with the token that each engine accepts. */
export const peersText = (layout: Layout, all: readonly (readonly string[])[], tokenFile: string): string =>
  stringify(
    all.flatMap((nodes, n) =>
      n === 0 ? [] : [{ name: `p${n}`, urls: nodes.map((node) => addressOf(layout, node, n)), tokenFile }],
    ),
  );
