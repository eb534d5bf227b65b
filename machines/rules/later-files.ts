// Later files
// Finds files that run later, or decide what runs later, although no later call names them: git hooks, shell profiles.
//
//   Owns:          the table of files that run later, and finding such a file in a path.
//   Does not own:  which rule may allow writing a file that runs later (ruling, reach), how people see that a call writes such a
//                  file (runtime/risks).
//
// LATER-FILES-1. A file name is compared as the most tolerant file system would compare it: without regard to letter case,
//     invisible characters, dots and spaces at the end, and anything after a `:`. A short form such as `GIT~1` may be the name of
//     any file in the table.
// LATER-FILES-2. If the table names a folder, every file in the folder counts as one that runs later, wherever the folder is.

import { fits } from "./command-pattern.ts";
import { remembered } from "./remembered.ts";

interface Group {
  readonly what: string;
  /** Names of folders at any depth. Every file in such a folder, however deep, belongs to the group. */
  readonly folders?: string;
  /** Names of files at any depth. `*` matches any characters. */
  readonly files?: string;
}

/** The files that run later, in the groups of docs/reference/rules.md. Names are in lower case, with spaces between them. */
export const LATER: readonly Group[] = [
  {
    what: "a repository and its hooks",
    folders: ".git *.git .hg .svn .husky .githooks githooks git-hooks .lefthook .pre-commit",
    files: `.gitattributes .gitmodules .gitconfig .hgrc lefthook.* .lefthook.* lefthook-local.* .pre-commit-config.* .pre-commit-hooks.*
      .overcommit.yml .huskyrc* .lintstagedrc* .simple-git-hooks.* head`,
  },
  {
    what: "what runs elsewhere after a push",
    folders:
      ".github .gitlab .gitea .forgejo .circleci .woodpecker .buildkite .teamcity .jenkins .ci .drone .semaphore",
    files: `.gitlab-ci.yml *.gitlab-ci.yml jenkinsfile* *.jenkinsfile .travis.yml azure-pipelines*.y*ml bitbucket-pipelines.yml
      appveyor.yml .appveyor.yml .drone.* cloudbuild*.y*ml cloudbuild.json buildspec*.y*ml .woodpecker* .cirrus.yml .buildkite.yml codefresh.yml
      wercker.yml netlify.toml vercel.json wrangler.toml fly.toml serverless.* app.yaml .releaserc* release.config.* .goreleaser.*`,
  },
  {
    what: "the scripts and sources of packages",
    folders:
      "node_modules site-packages dist-packages .venv venv .yarn .pnpm-store .bundle .cargo .mvn .gradle .terraform __pycache__",
    files: `package.json package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock bun.lockb .npmrc
      .yarnrc .yarnrc.yml .pnpmfile.* .pnp.* bunfig.toml deno.json deno.jsonc deno.lock lerna.json nx.json turbo.json project.json
      setup.py setup.cfg pyproject.toml poetry.lock uv.lock pdm.lock requirements*.txt constraints*.txt pipfile pipfile.lock pip.conf
      .pypirc *.pth sitecustomize.py usercustomize.py cargo.toml cargo.lock build.rs rust-toolchain rust-toolchain.toml go.mod go.sum go.work
      gemfile gemfile.lock gems.rb *.gemspec .gemrc composer.json composer.lock mix.exs rebar.config package.swift package.resolved podfile
      podfile.lock cartfile nuget.config *.csproj *.fsproj *.vbproj *.vcxproj *.props *.targets *.sln *.cabal stack.yaml shard.yml
      pubspec.yaml project.clj deps.edn .terraformrc`,
  },
  {
    what: "builds and tests, and the settings of tools that are programs",
    folders: ".storybook init.d",
    files: `makefile makefile.* gnumakefile bsdmakefile *.mk *.mak justfile .justfile taskfile.* .taskfile.* rakefile *.rake guardfile capfile
      fastfile sconstruct sconscript wscript noxfile.py fabfile.py dodo.py tox.ini conftest.py pytest.ini .coveragerc build.gradle build.gradle.*
      settings.gradle settings.gradle.* init.gradle init.gradle.* gradle.properties gradlew gradlew.bat gradle-wrapper.* mvnw mvnw.cmd pom.xml
      build.xml ivy.xml *.sbt build.sc cmakelists.txt *.cmake cmakepresets.json cmakeuserpresets.json configure configure.ac configure.in *.m4
      meson.build build build.bazel workspace workspace.bazel module.bazel *.bzl .bazelrc .buckconfig buck gruntfile* gulpfile* jakefile*
      *.config.js *.config.cjs *.config.mjs *.config.ts *.config.cts *.config.mts *.conf.js *.conf.ts .babelrc*
      *.eslintrc* .prettierrc*
      .stylelintrc* .mocharc* .swcrc .postcssrc* .commitlintrc* .nycrc* nodemon.json biome.json biome.jsonc .rubocop.yml .golangci.*
      .nodemonrc .ackrc .ripgreprc *.user.js .pylintrc pylintrc mypy.ini .mypy.ini .flake8 .rspec phpunit.xml* phpstan.neon* .formatter.exs
      .iex.exs .credo.exs .ghci .jvmopts .sbtopts .simplecov jest.config.json *.workspace.js *.workspace.ts .dependency-cruiser.* .pdbrc
      .htaccess .user.ini php.ini earthfile brewfile cakefile devbox.json tslint.json`,
  },
  {
    what: "editors, containers and environments",
    folders: ".vscode .vscode-server .idea .fleet .zed .devcontainer .direnv .emacs.d .vim .nvim",
    files: `.envrc .env .env.* *.env .tool-versions .nvmrc .node-version .python-version .ruby-version mise.toml .mise.toml mise.*.toml flake.nix
      default.nix shell.nix devenv.nix dockerfile* *.dockerfile containerfile* docker-compose*.y*ml compose*.y*ml vagrantfile procfile*
      tiltfile skaffold.yaml devfile.yaml .devcontainer.json *.code-workspace *.sublime-project .vimrc .gvimrc .nvimrc .exrc init.vim init.lua
      .emacs .emacs.el .spacemacs .nanorc .dir-locals.el .lvimrc .netrwhist`,
  },
  {
    what: "a person's shell and account",
    folders: `.ssh .gnupg .aws .kube .docker .config .local .oh-my-zsh .zsh .bashrc.d .zshrc.d .profile.d .nvm .pyenv .rbenv .volta .asdf .sdkman
      .rustup .npm launchagents launchdaemons autostart cron.d cron.daily cron.hourly cron.weekly cron.monthly sudoers.d`,
    files: `.bashrc .bash_* .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .mkshrc .cshrc .tcshrc .login .logout .shrc .fishrc config.fish
      profile.ps1 *_profile.ps1 .inputrc .tmux.conf .screenrc .gdbinit* .lldbinit .pythonrc* .pythonstartup .irbrc .pryrc .rprofile .renviron
      .psqlrc .sqliterc .my.cnf .curlrc .wgetrc .netrc _netrc .pgpass .condarc .pam_environment .xinitrc .xsession* .xprofile .forward
      .procmailrc .mailcap .lesskey .lessfilter crontab *.crontab .crontab authorized_keys* *.service *.timer *.desktop *.plist autorun.inf`,
  },
  {
    what: "what agents are told",
    folders: ".claude .cursor .windsurf .gemini .codex .continue .aider",
    files: `claude.md claude.local.md agents.md agents.override.md gemini.md .cursorrules .windsurfrules .clinerules* .roomodes .goosehints
      copilot-instructions.md .mcp.json mcp.json .claude.json .aider* opencode.json managed-settings.json`,
  },
];

/** The names of git hooks. A file with such a name runs later if it is directly in a folder called `hooks`. */
const HOOKS = `applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge
  post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive
  prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update`;

const SYSTEM =
  "etc usr bin sbin lib lib32 lib64 boot dev proc sys nix snap library system applications windows var/spool var/lib private/etc";

const wordsOf = (text = ""): readonly string[] => text.split(/\s+/).filter((word) => word !== "");

class Names {
  readonly #whole: ReadonlySet<string>;
  readonly #starred: readonly (readonly string[])[];

  constructor(names: readonly string[]) {
    this.#whole = new Set(names.filter((name) => !name.includes("*")));
    this.#starred = names.filter((name) => name.includes("*")).map((name) => name.split("*"));
  }

  readonly has = remembered(
    (name: string): boolean => this.#whole.has(name) || this.#starred.some((pieces) => fits(pieces, name)),
  );
}

const folders = new Names(LATER.flatMap((group) => wordsOf(group.folders)));
const files = new Names(LATER.flatMap((group) => wordsOf(group.files)));
const hooks: ReadonlySet<string> = new Set(wordsOf(HOOKS));
const system = wordsOf(SYSTEM).map((path) => path.split("/"));

/** A text without invisible characters, each letter replaced by its plainest form. */
export const shown = (text: string): string =>
  text.normalize("NFKC").replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "");

export function plainName(name: string): string {
  if (/^[a-z0-9_.*-]*[a-z0-9_*-]$/.test(name)) return name;
  return shown(name)
    .replace(/\p{Cc}/gu, "")
    .toLowerCase()
    .replace(/(?<=.):.*$/s, "")
    .replace(/(?<=[^. ])[. ]+$/, "");
}

const SHORT = /^[^.]{1,6}~\d{1,3}(?:\.[^.]{0,3})?$/;

/** The names in a path, in plain form, that show that its file runs later or belongs to the system. The path may be relative. */
export function tellingNames(path: string): readonly string[] {
  const names = namesIn(path);
  const place = path.startsWith("/")
    ? system.find((each) => each.every((name, n) => names[n] === name))
    : undefined;
  return [...(place ?? []), ...laterNames(names)];
}

export const runsLater = (path: string): boolean => laterNames(namesIn(path)).length > 0;

const namesIn = (path: string): readonly string[] =>
  path
    .split(/[/\\]/)
    .map(plainName)
    .filter((name) => name !== "" && name !== ".");

function laterNames(names: readonly string[]): readonly string[] {
  const [last = "", parent] = names.slice(-2).toReversed();
  const found = names.filter((name) => folders.has(name) || SHORT.test(name));
  if (!folders.has(last) && files.has(last)) found.push(last);
  if (hooks.has(last) && parent === "hooks") found.push(parent);
  return found;
}
