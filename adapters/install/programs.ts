// Programs
// The programs of the hooks. They are stored in the data folder: hooks still find them if Signalbox itself is moved.
//
//   Owns:          the scripts `gate` and `observe`, the copy of the gate's program, checking that all of them are unchanged.
//   Does not own:  the gate's program itself (adapters/gate-main.ts), the settings that name the programs (settings).
//
// PROGRAMS-1. The program of an observing hook, which only reports and holds no call, exits with 0 whatever happens, starts no
//     Node and uses no network.
// PROGRAMS-2. If a gate's program cannot run or fails, the hook exits with 2, which the client takes for "no".
// PROGRAMS-3. No environment variable of the client changes what a program runs, reports or asks, because each program first
//     clears its environment. The exceptions are variables that a loader or shell reads before the program's first line.
// PROGRAMS-4. Once the settings name the new version of the gate's program, the program of the earlier version is removed. Other
//     files stay.

import { randomUUID } from "node:crypto";
import { access, chmod, constants, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quoted } from "../../runtime/text/quoted.ts";

/** While no engine reads the spool, files collect in it. At more files than this, an observing hook drops its payload. */
const FILES_MAX = 16_384;
const KIB_MAX = 262_144;

/** The name of the gate's program in version 0.1.0. */
const EARLIER_GATE = "gate.mjs";

/** The folders with the few programs that an observing hook needs. On NixOS only the third one has them. */
const SYSTEM_PATH = "/usr/bin:/bin:/run/current-system/sw/bin";

/** The variables in which clients pass their process id. */
type Variables = readonly string[];

/** The value of the first variable that is set, else 0, in shell syntax. */
const pidIn = (pids: Variables): string => pids.reduceRight((rest, name) => `\${${name}:-${rest}}`, "0");

/** The program of an observing hook. It first removes the functions and variables that its shell got from the environment. */
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
while [ -e "$$-$n" ] || [ -e ".$$-$n" ]; do n=$((n + 1)); done
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

async function programs({ data, hooks, spool, pids }: Kept, node: string, source: string) {
  const program = join(hooks, "gate.cjs");
  return [
    { path: program, text: await readFile(source, "utf8"), mode: 0o600 },
    { path: join(hooks, "gate"), text: gate(node, program, data, pids), mode: 0o700 },
    { path: join(hooks, "observe"), text: observe(spool, pids), mode: 0o700 },
  ];
}

/**
 * Writes the hooks' programs without disturbing a running hook.
 * @param node the path of Node.
 * @param source the gate's program as it was built.
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
  // The earlier version's gate program can go: no hook names it any more, and a running gate has already read it.
  await rm(join(kept.hooks, EARLIER_GATE), { force: true });
}

/** @returns how the programs differ from what `keepPrograms` would write. */
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
