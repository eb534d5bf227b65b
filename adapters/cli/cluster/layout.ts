// Layout
// The layout of a cluster: how many partitions there are, and on which nodes their engines run.
//
//   Owns:          the form of cluster.yaml, reading and writing it; the addresses of the engines, the list of peers.
//   Does not own:  which node runs which engine (placement), the other files of the cluster's folder (folder).
//   Decided in:    docs/decisions/0104-a-cluster-is-a-folder.md.
//
// CLI-CLUSTER-LAYOUT-1. A wrong layout is refused, and the message names the line of the file or the option that is wrong.
// CLI-CLUSTER-LAYOUT-2. A layout contains no secret. Engines on other machines are reached by https only.
// CLI-CLUSTER-LAYOUT-3. Two engines on one host never have the same port.

import { stringify } from "yaml";
import { z } from "zod";
import { isHere, isUnread } from "../../../runtime/line/here.ts";
import { misused } from "../failures/failure.ts";
import { readYaml } from "../yaml-text.ts";

export const PARTITIONS_MAX = 64;
/** A list of peers has at most three addresses for each partition: that of its owner, and those of two spares. */
export const SPARES_MAX = 2;
const PORT_MAX = 65_535;
const DOCS = "docs/how-to/scale.md describes the layout of a cluster.";

const address = z
  .url({ protocol: /^https?$/, error: "must be an address such as https://host:4300", abort: true })
  .refine((text) => new URL(text).pathname === "/", "must end after the host or its port")
  .refine((text) => isUnread(new URL(text)), "must begin with https://, because it is on another machine");
const server = z
  .url({ protocol: /^(nats|tls)$/, error: "must be an address such as nats://host:4222", abort: true })
  .refine((text) => new URL(text).username === "", "must be without a user and a password");

const LAYOUT = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9-]+$/, "must have lower-case letters, digits and -"),
    partitions: z.int().min(1).max(PARTITIONS_MAX),
    spares: z.int().min(0).max(SPARES_MAX),
    replicas: z.int().min(1).max(5),
    port: z.int().min(1).max(PORT_MAX),
    nats: z.array(server).min(1),
    nodes: z.record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, "must have lower-case letters, digits and -"),
      address,
    ),
  })
  .superRefine((layout, context) => {
    const fault = (path: string[], message: string): void =>
      context.addIssue({ code: "custom", path, message });
    const nodes = Object.keys(layout.nodes);
    if (layout.spares >= nodes.length)
      fault(["spares"], `must be fewer than the nodes: each engine of a partition needs its own node`);
    const ranges = nodes.map((node) => ({ node, host: hostOf(layout, node), port: portOf(layout, node, 0) }));
    for (const [n, { node, host, port }] of ranges.entries()) {
      if (port + layout.partitions - 1 > PORT_MAX)
        fault(
          ["nodes", node],
          `needs the ports from ${port} on, one for each partition: the last one is ${PORT_MAX}`,
        );
      const other = ranges
        .slice(0, n)
        .find((each) => each.host === host && Math.abs(each.port - port) < layout.partitions);
      if (other)
        fault(
          ["nodes", node],
          `shares ports with ${other.node}: each needs ${layout.partitions}, from its own on`,
        );
    }
  });

export type Layout = z.infer<typeof LAYOUT>;

const HEAD = `# The layout of a cluster of Signalbox engines: \`npx signalbox cluster up\` reads it on each node.
#
# The id and the number of partitions never change: a workspace's history lies in its partition. Nodes may be added and removed,
# as docs/how-to/scale.md describes. The engine of partition n listens on its node at the port of the node's address, plus n;
# without a port in the address, at \`port\` plus n.
`;

export const layoutText = (layout: Layout): string => HEAD + stringify(layout);

export function readLayout(text: string, name: string): Layout {
  const yaml = readYaml(text, name, DOCS);
  const read = LAYOUT.safeParse(yaml.value);
  if (read.success) return read.data;
  const { path, why } = faultIn(read.error);
  throw yaml.fault(path, `${path.join(".") || "The layout"} is not right: ${why}.`);
}

export function layoutOf(options: Layout): Layout {
  const read = LAYOUT.safeParse(options);
  if (read.success) return read.data;
  const { path, why } = faultIn(read.error);
  const [option, ...part] = path[0] === "nodes" ? ["node", path[1]] : [path[0]];
  throw misused(`${["--" + String(option), ...part].join(" ")} is not right: ${why}.`, DOCS);
}

/** The first fault, with its path. For a wrong key, such as a node's name, zod puts the text into an issue within the issue. */
function faultIn({ issues: [issue] }: z.ZodError): { readonly path: PropertyKey[]; readonly why: string } {
  const why = issue?.code === "invalid_key" ? `the name ${issue.issues[0]?.message}` : (issue?.message ?? "");
  return { path: issue?.path ?? [], why };
}

export const nodesOf = ({ nodes }: Pick<Layout, "nodes">): readonly string[] => Object.keys(nodes);

export const portOf = (
  { nodes, port }: Pick<Layout, "nodes" | "port">,
  node: string,
  partition: number,
): number => Number(new URL(nodes[node] ?? "").port || port) + partition;

export function addressOf(layout: Layout, node: string, partition: number): string {
  const url = new URL(layout.nodes[node] ?? "");
  url.port = String(portOf(layout, node, partition));
  return url.origin;
}

/**
 * The list of peers for partition 0, whose engines also show the approvals of all other partitions.
 * @param all the nodes of each partition. @param tokenFile the file with the token that each engine accepts.
 */
export const peersText = (layout: Layout, all: readonly (readonly string[])[], tokenFile: string): string =>
  stringify(
    all.flatMap((nodes, n) =>
      n === 0 ? [] : [{ name: `p${n}`, urls: nodes.map((node) => addressOf(layout, node, n)), tokenFile }],
    ),
  );

/** The host of a node. All names of the machine's loopback count as one host. */
function hostOf({ nodes }: Pick<Layout, "nodes">, node: string): string {
  const { hostname } = new URL(nodes[node] ?? "");
  return isHere(hostname) ? "localhost" : hostname;
}
