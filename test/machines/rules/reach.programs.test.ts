// Reach, programs
// What real programs do with their options: a command that wrote a file or ran another program is not allowed by a rule for
// its program.

import { expect, test } from "vitest";
import { commandRule, saidOf } from "../../support/rules/terms.ts";
import { Workshop } from "../../support/rules/workshop.ts";

/** By the rule's text, what is done by itself, and what reaches further. `|` stands between commands. */
const TRIED: readonly (readonly [rule: string, safe: string, reaching: string])[] = [
  [
    "git *",
    "log|log -p|diff|show HEAD|grep x|blame a.txt|status|--no-pager log|log --stat -- a.txt",
    `diff --output=w.out|log --output=w.out|show --output w.out|-C . config a.b c|config a.b c
    |grep -O./trap x|grep --open-files-in-pager=./trap x|grep --open=./trap x|-c alias.p=!./trap p|-c diff.external=./trap diff
    |-c core.fsmonitor=./trap status|-c core.sshCommand=./trap fetch ssh://x/y|archive -o w.out HEAD|archive --output=w.out HEAD
    |format-patch -o out --root|format-patch --root|bundle create w.bundle HEAD|fetch --upload-pack=./trap .
    |fetch --upload-p=./trap .|ls-remote --upload-pack=./trap .|ls-remote --exec=./trap .|clone . other|init other
    |difftool -y -x ./trap|worktree add other
    |-c protocol.ext.allow=always ls-remote ext::./trap|push --receive-pack=./trap . HEAD:x
    `,
  ],
  [
    "sort *",
    "a.txt|-r a.txt|-k 1 a.txt",
    `-o w.out a.txt|-ow.out a.txt|-ro w.out a.txt|--output=w.out a.txt
    |--outp w.out a.txt|a.txt -o b.txt`,
  ],
  [
    "find *",
    ".|. -name a.txt|. -type f -newer a.txt",
    `. -name b.txt -delete|. -name a.txt -exec ./trap \\;
    |. -exec ./trap {} +|. -fprint w.out|. -fls w.out|. -fprintf w.out x|. -fprint0 w.out`,
  ],
  [
    "sed *",
    "-n 1,5p a.txt|5q a.txt|-n '$p' a.txt",
    `-i 1d a.txt|-n -i 1p a.txt|-ni 1p a.txt|-ni.bak 1p a.txt|--in-place 1d a.txt
    |--in-p 1d a.txt|'w w.out' a.txt|'1e ./trap' a.txt|'s/a/b/w w.out' a.txt|-f s.sed a.txt|-nfs.sed a.txt|-e 'w w.out' a.txt
    |-n --expression='w w.out' a.txt|--file=s.sed a.txt`,
  ],
  [
    "sed -n *",
    "-n 1p a.txt|-n -e 1p a.txt",
    `-n -i 1p a.txt|-n 'w w.out' a.txt|-n 1p -i a.txt|-n -e 1p -e 'w w.out' a.txt
    |-n -fs.sed a.txt`,
  ],
  [
    "awk *",
    "'{print}' a.txt|'{print $1}' a.txt|-F, '{print}' a.txt",
    `'{print > "w.out"}' a.txt|'BEGIN {system("./trap")}'
    |-f s.awk a.txt|-fs.awk a.txt`,
  ],
  [
    "tar tf *",
    "tf a.tar",
    `tf a.tar -I ./trap|tf a.tar --use-compress-program=./trap|tf a.tar --use-comp=./trap
    |tf a.tar --checkpoint=1 --checkpoint-action=exec=./trap|tf a.tar --index-file=w.out|tvf a.tar --index-f=w.out`,
  ],
  [
    "tar *",
    "",
    `xf a.tar|-xf a.tar|cf w.tar a.txt|-cf w.tar a.txt|rf a.tar a.txt|--extract -f a.tar|tf a.tar -I ./trap`,
  ],
  [
    "uniq *",
    "a.txt|-c a.txt|-f 1 a.txt",
    "a.txt w.out|-c a.txt w.out|-f 1 a.txt w.out|--skip-fields=1 a.txt w.out",
  ],
  ["xxd *", "a.txt|-l 1 a.txt", "a.txt w.out|-l 1 a.txt w.out|-r a.txt w.out|-p a.txt w.out"],
  [
    "curl *",
    "file:./a.txt|-s file:./a.txt",
    `-s -o w.out file:///etc/hostname|-sow.out file:///etc/hostname|-sO file:///etc/hostname
    |--output w.out file:///etc/hostname|-s --trace w.out file:///etc/hostname|-s -D w.out file:///etc/hostname
    |-s --stderr w.out file:///etc/nothing|-s -c w.out file:///etc/hostname|-s --libcurl w.out file:///etc/hostname`,
  ],
  [
    "make *",
    "-n|-s",
    `-f evil.mk|-fevil.mk|--file=evil.mk|-sf evil.mk|SHELL=./trap|--eval='$(shell ./trap)'|-E '$(shell ./trap)'
    |-e -f evil.mk|--makefile evil.mk`,
  ],
  [
    "node x.js *",
    "x.js|x.js a",
    "-e 'require(\"./evil.js\")'|-r ./evil.js x.js|--require ./evil.js x.js|--require=./evil.js x.js|evil.js",
  ],
  [
    "env A=1 git *",
    "A=1 git log",
    "A=1 ./trap|A=1 git diff --output=w.out|-S ./trap|-C . ./trap|GIT_EXTERNAL_DIFF=./trap git diff",
  ],
  ["timeout 5 *", "", "5 ./trap|5 git diff --output=w.out|5 sort -o w.out a.txt"],
  ["find . -exec *", "", ". -exec ./trap {} +"],
  ["dd *", "", "if=a.txt of=w.out|if=a.txt of=sub/w.out"],
  ["xargs *", "", "-a a.txt ./trap"],
];

const commandsOf = (rule: string, texts: string): readonly string[] => {
  const [program = ""] = rule.split(" ");
  return texts
    .split("|")
    .map((each) => each.replace(/\s+/g, " ").trim())
    .filter((each) => each !== "")
    .map((rest) => `${program} ${rest}`);
};

test("REACH-1, REACH-2, COMMAND-MATCH-4: nothing that writes a file or runs another program is allowed by its program's rule", () => {
  using workshop = new Workshop();
  const idle: string[] = [];
  for (const [rule, safe, reaching] of TRIED) {
    const allows = (command: string): boolean =>
      saidOf([commandRule("allow", rule, "glob")], command) === "allow";
    for (const command of commandsOf(rule, safe))
      expect([rule, command, allows(command), workshop.changedBy(command)]).toEqual([
        rule,
        command,
        true,
        [],
      ]);
    for (const command of commandsOf(rule, reaching)) {
      expect([rule, command, allows(command)]).toEqual([rule, command, false]);
      if (workshop.changedBy(command).length === 0) idle.push(command);
    }
  }
  // Each of them did reach: this is no list of what only looks like it.
  expect(idle).toEqual([]);
});
