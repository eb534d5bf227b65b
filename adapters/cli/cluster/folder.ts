// Cluster folder
// The folder of which each node of a cluster has a copy: the layout, the accounts of the NATS server, and two secrets.
//
//   Owns:          the names of the files in a cluster's folder, making the folder, reading the folder.
//   Does not own:  the texts of the files (layout, accounts), the data folders of the engines (commands/cluster).
//   Decided in:    docs/decisions/0104-a-cluster-is-a-folder.md.
//
// CLI-CLUSTER-FOLDER-1. Signalbox makes the files of a cluster's folder only in a new or empty folder, and never changes them.
//     Only the user who made the folder can read its secrets.

import { randomBytes } from "node:crypto";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Failure, misused } from "../failures/failure.ts";
import type { Wiring } from "../wiring.ts";
import { accountsText } from "./accounts.ts";
import { type Layout, layoutText, readLayout } from "./layout.ts";

const SECRET_BYTES = 32;

export interface ClusterFolder {
  readonly dir: string;
  readonly layout: Layout;
  /** The file with the seal key that all engines share. */
  readonly key: string;
  /** The file with the cluster's token: with it, one engine asks another for its approvals, and sends it a user's answers. */
  readonly token: string;
}

const filesIn = (dir: string) => ({
  layout: join(dir, "cluster.yaml"),
  accounts: join(dir, "partitions.conf"),
  key: join(dir, "key"),
  token: join(dir, "token"),
});

export async function makeClusterFolder(given: string, layout: Layout): Promise<string> {
  const dir = resolve(given);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if ((await readdir(dir)).length > 0)
    throw misused(
      `There are files in ${dir} already, so no cluster is made there.`,
      "Name a new folder, or an empty one.",
    );
  const files = filesIn(dir);
  const put = (path: string, text: string, mode: number): Promise<void> =>
    writeFile(path, text, { flag: "wx", mode });
  for (const path of [files.key, files.token])
    await put(path, `${randomBytes(SECRET_BYTES).toString("base64url")}\n`, 0o600);
  await put(files.accounts, accountsText(layout.partitions), 0o644);
  await put(files.layout, layoutText(layout), 0o644);
  return dir;
}

export async function clusterFolder(
  given: string,
  { readOwn }: Pick<Wiring, "readOwn">,
): Promise<ClusterFolder> {
  const dir = resolve(given);
  const { layout, ...files } = filesIn(dir);
  const text = await readOwn(layout);
  if (text === undefined)
    throw new Failure(
      `There is no layout of a cluster in ${dir}.`,
      "Make a layout with `npx signalbox cluster init`, or copy the folder from another node.",
    );
  return { dir, ...files, layout: readLayout(text, layout) };
}

export async function secretIn(file: string, { readOwn }: Pick<Wiring, "readOwn">): Promise<string> {
  const secret = (await readOwn(file, true))?.trim();
  if (secret) return secret;
  throw new Failure(`${file} is not there, or empty.`, "Copy the cluster's folder from another node, whole.");
}
