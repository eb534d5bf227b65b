// Shells
// Describes, for rules, the options of programs that run other programs, or a script in their own language.
//
//   Owns:          the options of programs that run other programs or scripts.
//   Does not own:  how rules use the descriptions of programs (reach, sight).

import type { ProgramRow } from "./program-row.ts";

const WRAPPERS: readonly ProgramRow[] = [
  {
    names: "sudo doas run0 sudoedit",
    values:
      "-u --user -g --group -h --host -p --prompt -C --close-from -T --command-timeout -R --chroot -D --chdir -r --role -t --type -U",
    flags: "-n --non-interactive -H --set-home -k -K -S --stdin -b",
    runs: "command",
  },
  {
    names: "env",
    values: "-u --unset -C --chdir",
    flags: "-i --ignore-environment -0 --null -",
    scripts: "-S --split-string",
    runs: "command",
  },
  {
    names: "nohup setsid catchsegv unbuffer caffeinate command exec builtin nocorrect noglob busybox toybox",
    runs: "command",
  },
  { names: "nice", values: "-n --adjustment", runs: "command" },
  { names: "ionice", values: "-c --class -n --classdata", runs: "command" },
  { names: "stdbuf", values: "-i --input -o --output -e --error", runs: "command" },
  { names: "time", values: "-f --format -o --output", reaches: "-o --output", runs: "command" },
  {
    names: "timeout",
    values: "-k --kill-after -s --signal",
    flags: "--foreground --preserve-status -v",
    runs: "command",
    operandsBefore: 1,
  },
  { names: "chrt taskset", flags: "-f -o -b -i -r", runs: "command", operandsBefore: 1 },
  {
    names: `xargs parallel ssh mosh su runuser pkexec chroot unshare nsenter setpriv firejail bwrap systemd-run machinectl strace ltrace gdb
      lldb perf valgrind rr script expect watch entr watchexec nodemon pm2 forever concurrently tmux screen at batch crontab systemctl
      launchctl service flock runcon sg newgrp start-stop-daemon daemonize dtach abduco ttyd socat nc ncat netcat telnet emacs vi vim
      nvim ex view ed nano pico m4 tclsh wish osascript cmd wsl rlwrap dbus-run-session xvfb-run cpulimit prlimit proot fakeroot`,
    runs: "anything",
  },
  {
    names: `eval source . trap alias unalias bind complete compgen fc enable hash history set shopt declare typeset local export readonly
      read mapfile readarray unset wait getopts let coproc test [ printf print zmodload autoload emulate sched zle vared integer float
      functions disable suspend jobs bg fg disown`,
    isBuiltin: true,
    runs: "anything",
  },
];

const SCRIPTED: readonly ProgramRow[] = [
  {
    names: "sh bash zsh dash ksh fish ash csh tcsh mksh yash rbash nu xonsh elvish pwsh powershell",
    flags: "-e -u -x -n -v --version --norc --noprofile --posix",
    scripts: "-c",
    strict: "before",
    runs: "script",
  },
  {
    names: "python pypy ipython",
    flags: "-u -B -O -OO -s -S -E -I -P -v -V --version",
    scripts: "-c -m",
    strict: "before",
    runs: "script",
  },
  // Modules that `python -m` runs.
  { names: "json.tool", values: "--indent", reads: 1, writes: true },
  {
    names: "unittest",
    reaches: "-s --start-directory -p --pattern -t --top-level-directory",
    runsFiles: true,
  },
  {
    names: "pdb cprofile profile runpy timeit doctest zipapp zipfile tarfile compileall py_compile lib2to3",
    runs: "anything",
  },
  {
    names: "node nodejs tsx ts-node esno",
    flags:
      "-v --version -h --help --no-warnings --no-deprecation --enable-source-maps --trace-warnings --trace-uncaught --experimental-strip-types",
    scripts: "-e --eval -p --print",
    strict: "before",
    runs: "script",
  },
  {
    names: "ruby",
    flags: "-v -w -W --version --disable-gems",
    scripts: "-e",
    strict: "before",
    runs: "script",
  },
  { names: "perl raku", flags: "-w -v -t -T", scripts: "-e -E", strict: "before", runs: "script" },
  { names: "php", flags: "-v -n -q --version", scripts: "-r -B -R -E", strict: "before", runs: "script" },
  {
    names:
      "lua luajit Rscript R julia groovy scala elixir erl escript java jshell guile racket sbcl octave gnuplot bc dc",
    strict: "before",
    runs: "script",
  },
  {
    names: "awk gawk mawk nawk",
    values: "-F -v --field-separator --assign",
    flags: "-F -v --field-separator --assign --version",
    scripts: "-e --source",
    strict: "before",
    runs: "script",
    printing: /^(?:\{ *print(?: *\$\d+(?:, *\$\d+)*)? *\}|NR *[<>=]=? *\d+|END *\{ *print +NR *\})$/,
  },
  {
    names: "sed",
    flags: "-n -E -r -s -u -z --quiet --silent --regexp-extended --posix --debug --version",
    scripts: "-e --expression",
    reaches: "-i --in-place -f --file -e --expression",
    strict: "before",
    runs: "script",
    printing: /^(?:(?:\d+|\$)(?:,(?:\+?\d+|\$))?[pdq=])$/,
  },
  { names: "sqlite3 psql mysql mariadb redis-cli mongo mongosh duckdb clickhouse-client", runs: "anything" },
];

export const SHELLS: readonly ProgramRow[] = [...WRAPPERS, ...SCRIPTED];
