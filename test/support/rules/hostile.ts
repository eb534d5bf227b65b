// Hostile
// Commands by which somebody wants past a rule to allow, and those that it is for.
//
//   Owns:          the disguises of a command; what each rule of these tests is asked about.
//   Does not own:  what rules make of them, running them (shells).

/** One rule to allow, and what is asked. `*` in its text is a pattern's. */
export interface Attack {
  readonly kind: "glob" | "prefix";
  readonly text: string;
  /** What the rule is for. */
  readonly safe: readonly string[];
  readonly hostile: readonly string[];
}

/** Ways to make a shell run more than a command, less, or another. */
const disguises = (command: string): readonly string[] =>
  disguised(command).filter((each) => each !== command);

const disguised = (command: string): readonly string[] => [
  ...BEHIND.map((more) => command + more),
  ...BEFORE.map((before) => before + command),
  ...[`bash -c '${command}'`, `(${command})`, `{ ${command}; }`, `$'${command}'`, `"${command}"`],
  ...[`'${command}'`, `if ${command}; then id; fi`, command.toUpperCase(), command.replace("i", "\u0456")],
  ...[command.replace(" ", "\u00a0"), command.replace(" ", "\u2003")],
];

const BEFORE =
  "FOO=1 |env FOO=1 |PATH=. |LD_PRELOAD=x |sudo |\\|./|/tmp/x/|! |time |command |exec |eval |\ufeff|\u200b|nohup |- ".split(
    "|",
  );
const BEHIND = [
  ..."; id§ && id§ || id§ | sh§ & id§\nid§\rid§\r\nid§\u2028id§\u0085id§\u000bid§\u000cid§\u0000id§ $(id)§ `id`".split(
    "§",
  ),
  ..." \"$(id)\"§ \"`id`\"§ > x§ >>x§ < x§ <<E\nid\nE§ <(id)§ #§ {a,b}§ ~root§ *§ \\\nid§ 'a''b'§ \u202eid§\u200b".split(
    "§",
  ),
];

/** One rule each, its own ways past it, and every disguise of its command. */
export const KNOWN: readonly Attack[] = [
  {
    kind: "glob",
    text: "npm run test:*",
    safe: [
      ...["npm run test:unit", "npm run test:../../x", "npm run 'test:x y'", "npm run 'test:x;id'"],
      ...[" npm run test:x", "npm\trun\ttest:x "],
    ],
    hostile: [
      ...["npm run test:x --prefix /tmp/evil", "npm --prefix /tmp/evil run test:x", "npm run test: x"],
      ...disguises("npm run test:x"),
    ],
  },
  {
    kind: "prefix",
    text: "git status",
    safe: ["git status", " git status ", "git status --ignore-submodules=none"],
    hostile: [
      ...["git -c core.pager=id status", "git -C /tmp/evil status", "git --git-dir=/tmp/e status"],
      ...["git status -c core.fsmonitor=id", "git statusx", ...disguises("git status")],
    ],
  },
  {
    kind: "glob",
    text: "git log *",
    safe: ["git log", "git log -1"],
    hostile: [
      ...["git log --output=/x/.bashrc", "git log --ext-diff -p", "git log -O/etc/x", "git logs"],
      ...["git log --output=/x/.claude/settings.json", ...disguises("git log")],
    ],
  },
  {
    kind: "prefix",
    text: "ls",
    safe: ["ls", "ls /x/.ssh", "ls .claude-x", "'ls'", '"ls"'],
    hostile: ["ls .cla''ude", "ls http://127.0.0.1:4280/", ...disguises("ls -l")],
  },
];

/** @param safe, hostile each the rest of several commands behind the program, with `|` between them. */
function attack(
  kind: Attack["kind"],
  text: string,
  safe: readonly string[],
  hostile: readonly string[],
): Attack {
  const [program = ""] = text.split(" ");
  const whole = (rests: readonly string[]): readonly string[] =>
    rests.flatMap((each) => each.split("|")).map((rest) => `${program} ${rest}`.trim());
  return { kind, text, safe: whole(safe), hostile: whole(hostile) };
}

/** Each program's own ways to write a file, to run another, to work elsewhere; and what it is used for. */
export const OWN: readonly Attack[] = [
  attack(
    "glob",
    "git *",
    [
      "log|log -p|log --oneline -5|log --stat a.ts|log --format=%H|log -n3 --graph|log --all -- src",
      "log a..b|show HEAD|diff|diff --cached|diff --no-index a b|grep x|grep -n x|blame a|status",
      "status -s|--no-pager log|-P log|fetch|fetch origin",
    ],
    [
      "log --output=x|log --output x|log --outp=x|log --outpu x|log -p --ext-diff|log --ext|log -Ox",
      "log -O x|show --output=x HEAD|diff --output=x|diff --ext-diff|grep -O x|grep -Osh x",
      "grep --open-files-in-pager=sh x|grep --open x|-C x log|-c a.b=c log|-p log|--paginate log",
      "--git-dir=x log|--git-dir x log|--work-tree=x status|--exec-path=x log|--exec-path x log",
      "--namespace=x log|--config-env=a=b log|-cx=y log|l|lg|co x|st|p|config x y|config alias.l log",
      "config --get a.b|bisect run x|submodule foreach x|rebase -x id|rebase --exec id|rebase --ex=id",
      "filter-branch x|difftool x|difftool -x id|mergetool|gui|daemon|shell|fetch --upload-pack=id x",
      "fetch --upload=id|ls-remote ext::id|clone x|clone -u id x|clone -c a=b x|clone --config=a=b x",
      "archive -o x HEAD|archive --output=x HEAD|archive --exec=x HEAD|push --receive-pack=id",
      "push --exec=id|push --rec=id|worktree add x|remote add x ext::id|init --template=x",
      "format-patch -o x|format-patch --output-directory=x|apply --unsafe-paths x|bundle create x",
      "send-email x|status -c a=b|help log|hook run x|for-each-repo --config=x id|maintenance run",
      "credential fill|instaweb",
    ],
  ),
  attack(
    "glob",
    "git log *",
    ["log|log -p|log --oneline -5|log --format=%H|log --all -- src|log a..b"],
    [
      "log --output=x|log --output x|log --outp=x|log --outpu x|log -p --ext-diff|log --ext|log -Ox|log -O x",
      "-C x log|-c a.b=c log|--no-pager log|-P log|-p log|--git-dir=x log|--exec-path=x log|logs|lg|show x",
    ],
  ),
  attack(
    "prefix",
    "npm run build",
    [
      "run build|run build -- x|run build -s|run build --silent|run build -w x",
      "run build --workspace=x|run build --ignore-scripts|run build --if-present",
    ],
    [
      "run build --prefix x|--prefix x run build|-C x run build|run build -C x|run build --script-shell=x",
      "run build --script-shell x|run build --node-options=x|run build --userconfig=x",
      "run --prefix=x build|run buildx|run-script build|run build:x|run build --pre=x|run build -- --fix",
    ],
  ),
  attack(
    "prefix",
    "npm test",
    ["test|test -- x"],
    ["t|test --prefix x|test --script-shell=x|--prefix x test|tst"],
  ),
  attack(
    "glob",
    "sort *",
    ["a|-r a|-k2 a|-k 2 a|-t, -k2 a|-u a|-S 1 a|-n a b"],
    [
      "-o x a|-ox a|-rox a|--output=x a|--outp=x a|-T x a|--compress-program=id a|--comp=id a",
      "--files0-from=x|a -o x",
    ],
  ),
  attack(
    "glob",
    "find *",
    [".|. -name x|. -type f|. -newer a|-H .|. -print|. -ls"],
    [
      ". -delete|. -exec id {} +|. -execdir id|. -ok id|. -okdir id|. -fprint x|. -fls x|. -fprintf x y",
      ". -fprint0 x",
    ],
  ),
  attack(
    "glob",
    "sed *",
    ["-n 1,5p a|-n 5p a|5q a"],
    ["s/a/b/ a|s/a/b/w a|1e a|-i 5d a|-ni 5p a|-n -i 5p a|w a|-f x a"],
  ),
  attack(
    "glob",
    "sed -n *",
    ["-n 1p a|-n '$p' a|-n -e 1p a|-n -s 1p a"],
    ["-n 1w a|-n 1p -i a|-n '1w x' a|-n e"],
  ),
  attack(
    "glob",
    "awk *",
    ["'{print}' a|'{print}' -f x|-F, '{print}' a|'END {print NR}' a"],
    ["-f x a|'{system(1)}' a|x a"],
  ),
  attack(
    "glob",
    "tar tf *",
    ["tf a"],
    ["tf a -x|tf a --to-command=id|tf a -I id|xf a|tf a --checkpoint-action=exec=id"],
  ),
  attack("glob", "uniq *", ["a|-c a|-f 1 a"], ["a x|-c a x|-f 1 a x|--skip-fields=1 a x"]),
  attack("glob", "rg *", ["x|-n x|x src|--json x"], ["--pre id x|--pre=id x|-z x|--hostname-bin=id x"]),
  attack("glob", "cat *", ["a|-n a|a b|../a|/etc/hosts|-- a|.git/config"], ["~/a|$HOME/a"]),
  attack(
    "glob",
    "tee *",
    ["a|-a a|src/a.ts|../a"],
    [".git/config|.git/hooks/x|Makefile|package.json|.env|/etc/x"],
  ),
  attack(
    "glob",
    "cp *",
    ["a b"],
    ["-r a b|a .git/hooks/x|a .husky/x|-t .git a|--target-directory=x a|a Makefile|a .GIT/x"],
  ),
  attack(
    "glob",
    "mv *",
    ["a b|x/a y/b"],
    ["a .github/workflows/x|a package.json|a .claude/x|a .bashrc|--backup=x a b"],
  ),
  attack(
    "glob",
    "curl *",
    ["x|-s x"],
    ["-o y x|-oy x|-so y x|-O x|--output y x|-K y|-T y x|-d y x|-X POST x|--json y x"],
  ),
  attack(
    "glob",
    "make *",
    ["test|-j4|-j 4|-n"],
    ["-C x|-f x|--file=x|CC=x|SHELL=x test|--eval=x|-nf x|-E x|-Ix"],
  ),
  attack(
    "glob",
    "python x.py *",
    ["x.py|x.py a|x.py -c y|x.py --config=y"],
    ["-c x|-m x|y.py|-i x.py|-W x x.py"],
  ),
  attack(
    "glob",
    "node x.js *",
    ["x.js|x.js a|x.js -r y"],
    ["-e x|--require x x.js|-r x x.js|--import=x x.js|y.js|-p 1"],
  ),
  attack(
    "glob",
    "cargo test *",
    ["test|test a"],
    ["test --config x|test --config=x|--config x test|+nightly test|t a"],
  ),
  attack(
    "glob",
    "go test *",
    ["test|test ./..."],
    ["test -exec id|test -exec=id|test -o x|-C x test|test -toolexec=id"],
  ),
  attack(
    "glob",
    "kubectl get *",
    ["get pods|get -n x pods|get -o json x"],
    ["get --kubeconfig=x pods|--context x get pods"],
  ),
  attack(
    "glob",
    "docker ps *",
    ["ps|ps -a|ps --format x"],
    ["run x|-H x ps|--context x ps|exec x id|compose up"],
  ),
  attack(
    "glob",
    "pytest *",
    ["a|-k x|-x|-q a"],
    ["-p x|-c x|--rootdir=x|-o x=y|--junitxml=x|--pdb|--basetemp=x"],
  ),
  attack(
    "glob",
    "eslint *",
    ["a|--ext .ts a"],
    ["-c x a|--config=x a|--fix a|--rulesdir x a|-o x a|--format=x a|--plugin x a"],
  ),
  attack(
    "glob",
    "gh pr *",
    ["pr list|pr view 1|pr checkout 1"],
    ["alias set x y|api x|-R x pr list|extension exec x"],
  ),
  attack(
    "prefix",
    "timeout 5 git log",
    ["5 git log|5 git log -1"],
    ["9 git log|-s 9 5 git log|5 git log --output=x|5 git p"],
  ),
  attack(
    "prefix",
    "env A=1 git log",
    ["A=1 git log"],
    ["B=1 git log|A=1 B=1 git log|-S x git log|A=1 git log --output=x|git log"],
  ),
];

export const programsOf = (attacks: readonly Attack[]): readonly string[] => [
  ...new Set(["id", "sh", "bash", "sudo", "env", ...attacks.map(({ text }) => text.split(" ")[0] ?? "")]),
];
