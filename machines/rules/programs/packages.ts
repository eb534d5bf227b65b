// Packages
// Describes, for rules, the programs that install packages, or that run programs of packages or of a project.
//
//   Owns:          the options and commands of programs that install or run packages.
//   Does not own:  how rules use the descriptions of programs (reach, sight).

import type { ProgramRow } from "./program-row.ts";

const QUIET = "-s --silent -q --quiet --verbose --color --no-color -h --help -v --version --json";
const NPM: ProgramRow = {
  names: "npm cnpm tnpm",
  hasAtNames: true,
  values: `--prefix -C --userconfig --globalconfig --registry --cache --script-shell --node-options --loglevel --otp --tag -w
    --workspace --depth --omit --include --before --install-strategy --access --scope --shell --editor --browser -c --call`,
  flags: `${QUIET} -d -dd -ddd -l --long -p --parseable --if-present -ws --workspaces --include-workspace-root -D --save-dev -P
    --save-prod -O --save-optional -E --save-exact -S --save --no-save --dry-run --prefer-offline --prefer-online --offline
    --production --no-audit --no-fund --no-progress --legacy-peer-deps --ignore-scripts -w --workspace --depth --omit --tag
    --loglevel --otp --all -a`,
  strict: "everywhere",
  commands: {
    known: `access adduser approve-scripts audit bugs cache ci completion config dedupe deny-scripts deprecate diff dist-tag docs
      doctor edit exec explain explore find-dupes fund get help help-search init install install-ci-test install-scripts
      install-test link ll login logout ls org outdated owner pack ping pkg prefix profile prune publish query rebuild repo
      restart root run sbom search set shrinkwrap stage star stars start stop team test token trust undeprecate uninstall
      unpublish unstar update version view whoami`,
    closed: `adduser approve-scripts config deny-scripts edit exec explore get init install-scripts login logout profile set token
      trust`,
    named: `access cache ci dedupe deprecate dist-tag install install-ci-test install-test link org owner pack pkg publish rebuild stage
      team undeprecate uninstall unpublish update version`,
    passes: "restart run start stop test",
    reaches: { audit: "fix" },
    same: {
      ci: "clean-install ic install-clean isntall-clean",
      config: "c",
      dedupe: "ddp",
      exec: "x",
      init: "create innit",
      install: "add i in ins inst insta instal isnt isnta isntal isntall",
      "install-ci-test": "cit clean-install-test sit",
      "install-test": "it",
      link: "ln",
      ls: "list la",
      owner: "author",
      rebuild: "rb",
      run: "run-script rum urn",
      search: "find s se",
      test: "t tst",
      uninstall: "r remove rm un unlink",
      update: "u udpate up upgrade",
      view: "info show v",
    },
  },
};

/** A word that is no command of these programs is a script of the project, or any program that is installed. */
const YARN: ProgramRow = {
  names: "yarn yarnpkg",
  hasAtNames: true,
  values:
    "--cwd -C --dir --filter -F --modules-folder --cache-folder --use-yarnrc --global-folder --preferred-cache-folder --registry",
  flags: `${QUIET} --offline --prefer-offline --frozen-lockfile --no-progress`,
  strict: "before",
  reaches: `--cwd --dir -C --modules-folder --use-yarnrc --global-folder --script-shell --config --node-options --registry`,
  commands: {
    known: `add audit autoclean bin cache check config constraints create dedupe dlx exec explain generate-lock-entry global help
      import info init install licenses link list login logout node npm outdated owner pack patch patch-commit plugin policies
      publish rebuild remove restart run search set stage start stop tag team test unlink unplug up upgrade upgrade-interactive version versions why
      workspace workspaces`,
    closed: "config create dlx exec init node npm patch patch-commit plugin policies set",
    named: `add dedupe global import install link publish rebuild remove unlink unplug up upgrade upgrade-interactive version workspace
      workspaces`,
    wraps: "run *",
    passes: "*",
    same: { up: "upgrade" },
  },
};

const PNPM: ProgramRow = {
  names: "pnpm",
  hasAtNames: true,
  values:
    "-C --dir --filter -F --filter-prod --loglevel --reporter --modules-dir --store-dir --lockfile-dir --config --registry",
  flags: `${QUIET} -r --recursive --offline --prefer-offline --frozen-lockfile --if-present --filter -F --filter-prod --parallel
    --stream --no-bail --workspace-root -w`,
  strict: "before",
  reaches: `-C --dir --modules-dir --script-shell --shell-emulator --config --node-options --store-dir --virtual-store-dir
    --lockfile-dir --registry --global-dir --global-bin-dir --pnpmfile --global-pnpmfile`,
  commands: {
    known: `add approve-builds audit bin ci config create dedupe deploy dlx env exec fetch get import init install i install-test it
      licenses link ln list ls la ll outdated pack patch patch-commit patch-remove prune publish rebuild rb remove rm root run
      run-script self-update set setup start stop restart store test t tst unlink dislink un uninstall update up upgrade
      view why`,
    closed:
      "approve-builds config create dlx env exec get init patch patch-commit patch-remove set setup store",
    named:
      "add audit ci dedupe deploy import install install-test link pack publish rebuild remove self-update unlink update",
    wraps: "*",
    passes: "*",
    same: {
      install: "i",
      "install-test": "it",
      link: "ln",
      list: "ls la ll",
      rebuild: "rb",
      remove: "rm un uninstall",
      run: "run-script",
      test: "t tst",
      unlink: "dislink",
      update: "up upgrade",
    },
  },
};

const BUN: ProgramRow = {
  names: "bun",
  hasAtNames: true,
  values: "--cwd -c --config -r --preload --define --loader --env-file",
  flags: QUIET,
  strict: "before",
  reaches: "--cwd --config -c --preload -r --outdir --outfile --define --env-file",
  commands: {
    known:
      "run test x repl exec install i add a remove rm update outdated link unlink publish patch pm build init create c upgrade info why audit",
    closed: "x repl exec init create c upgrade pm patch build",
    named: "install i add a remove rm update link unlink publish",
    wraps: "run *",
    passes: "run",
  },
};

const RUNNERS: ProgramRow = {
  names: "npx bunx pnpx uvx pipx",
  hasAtNames: true,
  values: "-p --package -c --call --from --with --python --spec -w --workspace",
  flags: "--no-install --no --offline -q --quiet",
  runs: "command",
};

const PYTHON: readonly ProgramRow[] = [
  {
    names: "pip",
    values:
      "--python --log --proxy --cert --client-cert --cache-dir --retries --timeout --exists-action --trusted-host",
    flags: `${QUIET} --isolated --no-input --no-color --disable-pip-version-check`,
    strict: "before",
    reaches: `-t --target --prefix --root -r --requirement -c --constraint -e --editable -i --index-url --extra-index-url
      --find-links -f --trusted-host --global-option --config-settings --build-option --log --src -d --dest -w --wheel-dir
      --report --python --user`,
    commands: {
      known:
        "install lock download uninstall freeze inspect list show check config search cache index wheel hash completion debug help",
      closed: "config cache debug",
      named: "install lock download uninstall wheel",
    },
  },
  {
    names: "uv poetry pipenv rye pdm hatch conda mamba mise asdf rbenv pyenv direnv doppler bundle nvm",
    values:
      "--directory -C --project -P --python -p --config-file --cache-dir -e --env -n --name --config --group --with --extra --package --from",
    flags: `${QUIET} --no-cache --offline --no-progress --no-interaction --no-ansi`,
    strict: "before",
    reaches: "--directory --project --config-file",
    commands: {
      wraps: "run exec",
      closed:
        "config self python tool env shell plugin init new create cache settings hook edit set source allow build-options",
      named: "add install i sync lock update upgrade remove uninstall publish build export pip x venv use",
    },
  },
];

const CARGO: ProgramRow = {
  names: "cargo",
  values: "--config -C -Z --color --manifest-path --target-dir --explain",
  flags: `${QUIET} --locked --offline --frozen --list`,
  strict: "before",
  reaches: `--config --manifest-path --target-dir --out-dir --artifact-dir --lockfile-path --root --path --git --registry --index
    --output-dir --output-format -C -Z +`,
  commands: {
    known: `add audit b bench build c check clean clippy config d doc fetch fix fmt generate-lockfile help info init install
      locate-project login logout metadata miri new nextest owner package pkgid publish r read-manifest remove report rm run
      rustc rustdoc search t test tree uninstall update vendor verify-project version yank`,
    closed: "config init install login logout new owner rustc rustdoc report",
    named: "add fix fmt package publish remove rm uninstall update vendor yank",
    reaches: { clippy: "--fix" },
    same: { build: "b", check: "c", doc: "d", run: "r", test: "t", remove: "rm" },
  },
};

const GO: ProgramRow = {
  names: "go",
  values: "-C",
  strict: "before",
  reaches: `-C -o -exec -toolexec -overlay -modfile -vettool -modcacherw -pkgdir -ldflags -gcflags -asmflags -gccgoflags -cpuprofile
    -memprofile -blockprofile -mutexprofile -trace -outputdir -coverprofile -fuzz -w -fix --exec --toolexec --overlay
    --modfile --vettool --outputdir --coverprofile`,
  commands: {
    known:
      "bug build clean doc env fix fmt generate get help install list mod run telemetry test tool version vet work",
    closed: "bug env generate run tool telemetry",
    named: "fix fmt get install mod work",
  },
};

/** A row for a program that builds, runs and tests projects. @param known its commands; any other word is a file that it runs. */
function builder(names: string, known?: string, closed = ""): ProgramRow {
  const runs = `tool exec run script new nuget eval do cmd compile repl ghci ghc plugin workload global config ${closed}`;
  const named =
    "add remove install restore publish pack build package pub deps get upgrade create clean format";
  return {
    names,
    flags: QUIET,
    strict: "before",
    reaches: `-o --output --project --property -p --configfile --source --tool-path --settings --test-adapter-path --logger
      --results-directory --collect --package-path --scratch-path --with-ghc --coverage-path --stack-yaml --exec
      --with-compiler --project-file --builddir`,
    runsFiles: true,
    commands: {
      ...(known !== undefined && { known: `${known} ${runs} ${named}` }),
      closed: runs,
      named,
    },
  };
}

const OTHERS: readonly ProgramRow[] = [
  {
    names:
      "gem composer brew apt apt-get aptitude dnf yum pacman apk snap flatpak dpkg rpm nuget nix nix-shell nix-env choco scoop winget",
    runs: "anything",
  },
  builder("mix rebar3 flutter"),
  builder(
    "dotnet",
    `build-server dev-certs fsi help list msbuild project reference sdk sln solution store test user-jwts user-secrets vstest
      watch`,
    "build-server fsi msbuild user-secrets vstest watch",
  ),
  builder("dart", "analyze devtools doc fix help info language-server test uninstall"),
  builder("swift", "help package-collection package-registry sdk test"),
  builder(
    "stack cabal",
    `bench check docker dot exec fetch freeze gen-bounds haddock help hoogle hpc ide info init list ls outdated path query
      runghc runhaskell sdist setup templates test unpack update upload uninstall user`,
    "docker exec hoogle runghc runhaskell setup user",
  ),
  { names: "deno sbt lein clj clojure", runs: "anything" },
];

export const PACKAGES: readonly ProgramRow[] = [
  NPM,
  YARN,
  PNPM,
  BUN,
  RUNNERS,
  ...PYTHON,
  CARGO,
  GO,
  ...OTHERS,
];
