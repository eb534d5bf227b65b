// Git
// Describes, for rules, the options and commands of git and of programs that are used like git.
//
//   Owns:          the options and commands of git and of programs like git.
//   Does not own:  how rules use the descriptions of programs (reach, sight).

import type { ProgramRow } from "./program-row.ts";

const GIT: ProgramRow = {
  names: "git",
  hasAtNames: true,
  values:
    "-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --exec-path --list-cmds",
  flags: `--no-pager -P --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --literal-pathspecs
    --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version -v -h --help`,
  reaches: `--output --output-directory --ext-diff --exec --extcmd --upload-pack --receive-pack --config --template
    --index-output --open-files-in-pager --exec-path --git-dir --work-tree --separate-git-dir --export-marks --unsafe-paths -O ext::`,
  commands: {
    known: `add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap
      check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-tree
      config count-objects credential credential-cache credential-store daemon describe diagnose diff diff-files diff-index
      diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg for-each-ref for-each-repo
      format-patch fsck gc get-tar-commit-id grep gui hash-object help hook http-backend http-fetch http-push imap-send
      index-pack init init-db instaweb interpret-trailers log ls-files ls-remote ls-tree mailinfo mailsplit maintenance
      merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes
      pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push quiltimport range-diff read-tree rebase
      receive-pack reflog remote remote-ext remote-fd repack replace request-pull rerere reset restore rev-list rev-parse
      revert rm send-email send-pack shell shortlog show show-branch show-index show-ref sparse-checkout stage stash status
      stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info
      upload-archive upload-pack var verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree`,
    closed: `bisect config credential credential-cache credential-store daemon difftool fast-import filter-branch for-each-repo
      gui help hook http-backend instaweb maintenance mergetool merge-index remote-ext remote-fd request-pull send-email shell
      submodule upload-pack upload-archive receive-pack web--browse citool`,
    named: `am apply archive bugreport bundle checkout checkout-index clone diagnose format-patch index-pack init init-db
      interpret-trailers mailinfo mailsplit merge-file mv pack-objects remote restore worktree`,
    writes: "checkout mv restore",
    reaches: {
      archive: "-o",
      clone: "-c -u",
      "format-patch": "-o",
      "index-pack": "-o",
      rebase: "-x",
      status: "-c",
    },
    same: { push: "send-pack http-push", fetch: "fetch-pack http-fetch", init: "init-db", add: "stage" },
  },
};

const GH: ProgramRow = {
  names: "gh glab",
  hasAtNames: true,
  values: "-R --repo --hostname",
  flags: "--help -h --version",
  reaches: "-R --repo --hostname",
  commands: {
    known: `agent-task alias api attestation auth browse cache codespace co completion config extension gist gpg-key issue label
      licenses org pr preview project release repo ruleset run search secret ssh-key status variable version workflow`,
    closed: "alias auth codespace config extension gpg-key secret ssh-key variable browse",
    named: "api repo release gist co workflow",
    reaches: {
      api: "-X --method -f -F --field --raw-field --input --hostname",
      run: "-D --dir",
      release: "-D --dir -O --output",
    },
    same: { extension: "ext extensions", codespace: "cs" },
  },
};

const REACHES = `--config --config-dir --config-option --config-file -R --repository --cwd --rsh --ssh --remotecmd -e --diff-cmd
  --diff3-cmd --editor-cmd --exec --output -o --tool --debugger --profile`;

const OTHERS: readonly ProgramRow[] = [
  {
    names: "hg sl",
    hasAtNames: true,
    values: "-R --repository --cwd --config --color --encoding --encodingmode --pager",
    flags:
      "-q --quiet -v --verbose -y --noninteractive --debug --traceback --time --version -h --help --hidden --pager --color",
    reaches: REACHES,
    commands: {
      known: `abort absorb add addremove amend annotate archive backout bisect blame bookmark bookmarks branch branches bundle cat
        checkout clone co commit ci config continue copy cp debugshell diff evolve export extdiff files fold forget graft grep
        heads help hide histedit id identify import in incoming init locate log history manifest merge metaedit move mv next out
        outgoing parents paths phase previous pull purge push rebase recover remove rename resolve revert rm rollback root
        serve shelve show showconfig smartlog sl status st strip summary sum tag tags tip unamend unbundle uncommit unhide
        unshelve update up goto verify version web`,
      closed: "bisect config showconfig debugshell extdiff serve web",
      named: "archive bundle clone copy import init purge rename revert update",
      writes: "copy rename revert",
      reaches: Object.fromEntries(
        "backout graft merge rebase resolve unshelve update".split(" ").map((name) => [name, "-t"]),
      ),
      same: { commit: "ci", copy: "cp", rename: "mv move", status: "st", update: "up checkout co goto" },
    },
  },
  {
    names: "jj",
    hasAtNames: true,
    values: "-R --repository --at-operation --at-op --color --config --config-file",
    flags:
      "--ignore-working-copy --ignore-immutable --at-operation --at-op --debug --color --quiet --no-pager -h --help -V --version",
    reaches: REACHES,
    commands: {
      known: `abandon absorb bisect bookmark commit config describe desc diff diffedit duplicate edit evolog file fix git help
        interdiff log metaedit new next op operation parallelize prev rebase redo resolve restore revert root show sign
        simplify-parents sparse split squash st status tag undo unsign util version workspace`,
      closed: "bisect config util",
      named: "fix git restore sparse workspace",
    },
  },
  { names: "svn bzr fossil", hasAtNames: true, reaches: REACHES },
];

export const REPOSITORIES: readonly ProgramRow[] = [GIT, GH, ...OTHERS];
