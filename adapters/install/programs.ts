// Programs
// The hooks' programs, stored in the data folder, so that they stay when the clone moves.
//
//   Owns:          the two scripts, the copy of the gate's program, checking that they are unchanged.
//   Does not own:  the gate's program itself (adapters/gate-main.ts), the settings that name them (settings).
//
// PROGRAMS-1. An observing hook exits with 0 whatever happens, starts no Node and uses no network.
// PROGRAMS-2. If a gate's program cannot run or fails, the gate exits with 2, which the client takes for "no".
// PROGRAMS-3. No variable of the client changes what runs, or what is reported and asked: each program first clears its
//     environment, and gets everything else by its command line. Variables that a loader or shell reads before a program's first
//     line still count.
// PROGRAMS-4. Once the settings name the new gate's program, the program of an earlier version is removed; other files stay.

import { randomUUID } from "node:crypto";
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The most files in a spool from which no engine reads. */
const FILES_MAX = 16_384;
const KIB_MAX = 262_144;

/** The name of the gate's program in version 0.1.0. */
const EARLIER_GATE = "gate.mjs";

const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`;

/** The folders of the few programs that an observing hook needs; some systems have them in the third. */
const SYSTEM_PATH = "/usr/bin:/bin:/run/current-system/sw/bin";

/** The variables in which clients pass the id of their process. */
type Variables = readonly string[];

/** The first of these variables that is set, in shell syntax. */
const pidIn = (pids: Variables): string => pids.reduceRight((rest, name) => `\${${name}:-${rest}}`, "0");

/** A shell may also get functions from its environment. Clearing them without another process is fastest. */
const observe = (spool: string, pids: Variables): string => `#!/bin/sh
# Signalbox: leaves what the client says in the spool, a file each. It ends with 0, whatever happens.
# The first argument names the gate that is put in beside it, the second the workspace, the third the client where it is
# not the first, the fourth the client's process where the client does not hand it on. Of the environment only that process
# counts: a project can set all else.
unset -f command export [ printf cat mv rm du cd umask
set -- "\${4:-${pidIn(pids)}}" "\${1:-none}" "\${2:--}" "\${3:-}"
set -f
IFS='
'
for line in $(export -p); do
  line=\${line#export }
  case \${line%%=*} in *[!A-Za-z0-9_]* | SHELLOPTS | BASHOPTS) ;; *) command unset "\${line%%=*}" ;; esac
done 2>/dev/null
set +f
unset IFS
PATH=${SYSTEM_PATH}
umask 077
set -C
case $1 in *[!0-9]* | ??????????*) pid=0 ;; *) pid=$1 ;; esac
case $2 in none) gated= ;; *) gated=" gated=$2" ;; esac
workspace=$3
client=\${4:+ client=$4}
drop() {
  printf . >>dropped
  cat >/dev/null
  exit 0
}
cd ${quoted(spool)} 2>/dev/null || exit 0
set -- [0-9]*
[ $# -gt ${FILES_MAX} ] && drop
if [ $# -gt 256 ]; then
  kib=$(du -sk . 2>/dev/null) || kib=0
  [ "\${kib%%[!0-9]*}" -gt ${KIB_MAX} ] && drop
fi
n=0
while [ -e "$$-$n" ]; do n=$((n + 1)); done
name="$$-$n"
{ printf '1 %s %s%s%s\\n' "$pid" "$workspace" "$client" "$gated" && cat; } 2>/dev/null >".$name" || {
  rm -f ".$name"
  drop
}
mv -f ".$name" "$name"
exit 0
`;

const gate = (node: string, program: string, data: string, pids: Variables): string => `#!/bin/sh
# Signalbox: a hook that waits for an answer. The client takes 2 for "no": whatever fails here lets nothing run.
# Of the environment only the client's process counts: a project can set all else.
/usr/bin/env -i ${quoted(node)} ${quoted(program)} --data ${quoted(data)} "$@" --pid "${pidIn(pids)}" || exit 2
`;

export interface Kept {
  readonly data: string;
  readonly hooks: string;
  readonly spool: string;
  readonly pids: Variables;
}

interface Program {
  readonly path: string;
  readonly text: string;
  readonly mode: number;
}

async function programs({ data, hooks, spool, pids }: Kept, node: string, source: string) {
  const program = join(hooks, "gate.cjs");
  return [
    { path: program, text: await readFile(source, "utf8"), mode: 0o600 },
    { path: join(hooks, "gate"), text: gate(node, program, data, pids), mode: 0o700 },
    { path: join(hooks, "observe"), text: observe(spool, pids), mode: 0o700 },
  ] as const satisfies readonly Program[];
}

/**
 * Writes the programs in place of older ones; a running hook is not disturbed.
 * @param node the program that runs the gate. @param source the gate's program as it was built.
 */
export async function keepPrograms(kept: Kept, node: string, source: string): Promise<void> {
  for (const dir of [kept.hooks, kept.spool]) {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await chmod(dir, 0o700);
  }
  for (const { path, text, mode } of await programs(kept, node, source)) {
    const draft = `${path}.${randomUUID()}`;
    await writeFile(draft, text, { mode, flag: "wx" });
    await rename(draft, path);
  }
  // Nothing names the earlier gate's file any more, and a gate that runs has read it already.
  await rm(join(kept.hooks, EARLIER_GATE), { force: true });
}

/** @returns what is wrong with the programs; empty if they are as `keepPrograms` would write them. */
export async function programFaults(kept: Kept, node: string, source: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { path, text, mode } of await programs(kept, node, source)) {
    const found = await readFile(path, "utf8").catch(() => undefined);
    if (found === undefined) faults.push(`${path} is missing`);
    else if (found !== text) faults.push(`${path} is not of this version, or was changed`);
    else if ((mode & 0o100) !== 0 && !(await canRun(path))) faults.push(`${path} cannot be run`);
  }
  return faults;
}

const canRun = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
