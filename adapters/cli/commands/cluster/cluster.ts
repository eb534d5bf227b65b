// cluster
// Runs several engines as the partitions of one cluster, on several nodes.
//
//   Owns:          the options of the actions of `cluster`; the action `init`.
//   Does not own:  the other actions (cli/cluster/run, cli/cluster/whole), the cluster's folder (cli/cluster/folder).
//   Decided in:    docs/decisions/0104-a-cluster-is-a-folder.md.

import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { type Context, groupCommand, plainCommand, wholeNumber } from "../../command.ts";
import { makeClusterFolder } from "../../cluster/folder.ts";
import { type Layout, layoutOf, nodesOf, PARTITIONS_MAX, SPARES_MAX } from "../../cluster/layout.ts";
import { LEAVE, LEAVE_MAX_S, LEAVE_S } from "./handover.ts";
import { misused } from "../../failures/failure.ts";
import { type RunOptions, runNode } from "../../cluster/run.ts";
import { upgradeCluster, type UpgradeOptions } from "../../cluster/upgrade.ts";
import { tellWhole } from "../../cluster/whole.ts";
import { pasted } from "../../../../runtime/text/quoted.ts";

interface Init extends Pick<Layout, "partitions" | "spares" | "replicas" | "port"> {
  readonly node: readonly string[];
  readonly nats?: readonly string[];
  readonly json?: boolean;
}

const PORT = 4300;
const NATS = "nats://127.0.0.1:4222";
const WAIT_MAX_S = 86_400;

export function cluster(context: Context): Command {
  return groupCommand("cluster", "several engines on several nodes, as one", "cluster status ./cluster", [
    plainCommand("init", "make the folder that each node gets a copy of", `cluster init ./cluster ${NODES}`)
      .argument("<dir>", "a new folder")
      .requiredOption("--node <name=address...>", "a node, and where others reach its engines", oneMore)
      .option(
        "--partitions <n>",
        "over how many engines the workspaces are spread, for good",
        wholeNumber(1, PARTITIONS_MAX),
        16,
      )
      .option(
        "--spares <n>",
        "how many spares each engine has, on other nodes",
        wholeNumber(0, SPARES_MAX),
        1,
      )
      .option("--replicas <n>", "on how many NATS servers each message is stored", wholeNumber(1, 5), 3)
      .option("--port <n>", "the port of partition 0, on nodes whose address has none", wholeNumber(1), PORT)
      .option("--nats <urls>", `the NATS servers, with commas between (default: ${NATS})`, moreServers)
      .option("--json", "print JSON")
      .action((dir: string, options: Init) => init(dir, options, context)),
    plainCommand("up", "run the engines of a node until Ctrl-C", "cluster up ./cluster --node a")
      .argument("<dir>", "the cluster's folder")
      .requiredOption("--node <name>", "the node that this is")
      .option(
        "--data <dir>",
        "where the engines' data folders are (default: data/NODE in the cluster's folder)",
      )
      .option("--json", "print JSON, one line of an engine's output a line")
      .action((dir: string, options: RunOptions) => runNode(dir, options, context)),
    plainCommand(
      "status",
      "tell who owns each partition, and whether its spares stand by",
      "cluster status ./cluster --wait 60",
    )
      .argument("<dir>", "the cluster's folder")
      .option(
        "--wait <seconds>",
        "wait until each partition has its owner and its spares",
        wholeNumber(1, WAIT_MAX_S),
        0,
      )
      .option("--json", "print JSON, one partition a line")
      .action((dir: string, options: { wait: number; json?: boolean }) => tellWhole(dir, options, context)),
    plainCommand(
      "upgrade",
      "have all engines change to the version that is installed now",
      "cluster upgrade ./cluster",
    )
      .argument("<dir>", "the cluster's folder")
      .option("--leave <seconds>", LEAVE, wholeNumber(0, LEAVE_MAX_S), LEAVE_S)
      .option("--wait <seconds>", "wait until all is whole again", wholeNumber(1, WAIT_MAX_S), 120)
      .option("--json", "print JSON, one partition a line")
      .action((dir: string, options: UpgradeOptions) => upgradeCluster(dir, options, context)),
  ]);
}

const NODES = "--node a=https://a.example --node b=https://b.example";

const oneMore = (node: string, before: readonly string[] = []): readonly string[] => [...before, node];

const moreServers = (urls: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  ...urls.split(","),
];

async function init(given: string, options: Init, { terminal }: Context): Promise<void> {
  const { node, nats = [NATS], json = false, ...numbers } = options;
  const nodes = Object.fromEntries(node.map(pairIn));
  if (Object.keys(nodes).length < node.length)
    throw misused("Two nodes have the same name.", "Give each node its own name.");
  const layout = layoutOf({ id: randomUUID(), ...numbers, nats: [...nats], nodes });
  const dir = await makeClusterFolder(given, layout);
  const [first = ""] = nodesOf(layout);
  if (json) terminal.json({ type: "made", dir, ...layout });
  else
    terminal.out(
      [
        `The cluster's folder is ${dir}. Copy the folder to each node, over a channel that nobody else reads: the folder holds the cluster's key.`,
        `  include '${dir}/partitions.conf'`,
        "    in the configuration of the NATS servers gives each partition an account; each user has a password in the environment",
        `  P0_PASSWORD=… npx signalbox cluster up ${pasted(dir)} --node ${first}`,
        `    runs the engines of ${first}; give it the passwords of all partitions`,
        `  npx signalbox cluster status ${pasted(dir)} --wait 60`,
        "    tells who owns each partition",
      ].join("\n"),
    );
}

function pairIn(text: string): readonly [name: string, address: string] {
  const [, name, address] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name !== undefined && address !== undefined) return [name, address];
  throw misused(`--node ${text} has no address.`, "Write each node as --node a=https://a.example.");
}
