// Builds
// Describes, for rules, the options and commands of programs that build, check and test a project.
//
//   Owns:          the options and commands of programs that build, check and test a project.
//   Does not own:  how rules use the descriptions of programs (reach, sight).

import type { ProgramRow } from "./program-row.ts";

const MAKE: readonly ProgramRow[] = [
  {
    names: "make gmake bmake",
    values: "-C --directory -f --file --makefile -I --include-dir -E --eval -o -W -j -l --jobs",
    flags: "-k -n -s -i -B -q -t -r -R -w --dry-run --keep-going --silent --always-make --no-print-directory",
    reaches: "-C --directory -f --file --makefile -I --include-dir -E --eval -e --environment-overrides =",
  },
  {
    // `runsFiles` is set because `just FOLDER/RECIPE` runs a recipe of the file in another folder.
    names: "just",
    values: "-f --justfile -d --working-directory -c --command -s --show --shell --set --chooser",
    reaches: `-f --justfile -d --working-directory -c --command -e --edit -E --dotenv-path --dotenv-filename --shell --shell-arg --set
      --init --choose --chooser -g --global-justfile --fmt --tempdir --cygpath =`,
    runsFiles: true,
  },
  {
    names: "rake",
    values: "-f --rakefile -C --directory -e --execute -E --execute-continue -p --execute-print",
    reaches: `-f --rakefile -C --directory -e --execute -E --execute-continue -p --execute-print -r --require -I --libdir
      -R --rakelibdir --rakelib -g --system =`,
  },
  {
    names: "task invoke fab nox tox ant mage",
    values: "-f --taskfile -d --dir -c --config --root -e --env -s --shell",
    reaches: `-f -d -c -C -r -e -s -t -g -w --taskfile --global --dir --config --conf --root --search-root --collection --shell
      --shell-arg --execute --require --libdir --command --dotenv-path --set --edit --init --noxfile --workdir -x --override
      --installpkg -lib -buildfile -file -find -logfile -logger -listener -inputhandler -main -propertyfile -compile -gocmd -D =`,
  },
  {
    names: "cmake ctest cpack meson ninja bazel bazelisk buck buck2 scons waf xcodebuild msbuild",
    runs: "anything",
  },
  {
    names: "gradle gradlew mvn mvnw",
    values:
      "-p --project-dir -f --file -b --build-file -c --settings-file -I --init-script -s --settings -g -P -D -T -x",
    flags:
      "-q --quiet -o --offline -U -B --batch-mode -i --info --stacktrace --continue --no-daemon --console",
    strict: "everywhere",
  },
];

const CHECKERS: readonly ProgramRow[] = [
  {
    names: "eslint stylelint xo standard oxlint biome tslint",
    values:
      "-c --config --ext --rule --plugin --parser -f --format -o --output-file --max-warnings --ignore-path",
    reaches: `-c --config --config-path --rulesdir --plugin --parser --resolve-plugins-relative-to -f --format --formatter
      --custom-formatter --custom-syntax -o --output-file --fix --fix-dry-run --write --apply --apply-unsafe --unsafe
      --cache-location --cache-file --init --stdin-filename --flag --inspect-config --mcp`,
  },
  {
    names: "prettier dprint",
    reaches:
      "-w --write --config --plugin --plugin-search-dir --ignore-path --cache-location --with-node-modules --find-config-path",
  },
  {
    names: "tsc vue-tsc tsgo",
    values: "-p --project --outDir --outFile --target --module --rootDir --lib",
    reaches: `-p -P --project -b -B --build --outDir --outFile --declarationDir --generateTrace --generateCpuProfile --tsBuildInfoFile
      --init --plugins --rootDir --emitDeclarationOnly`,
  },
  {
    names: "jest vitest mocha ava tap karma cypress playwright nyc c8",
    values: "-c --config --root -r --dir --reporter --project -t --testNamePattern --environment",
    flags: "--run --coverage --project",
    reaches: `-c --config --root --rootDir -r --dir --require --import --loader --globalSetup --globalTeardown --setupFiles
      --setupFilesAfterEnv --testEnvironment --environment --transform --reporter --reporters --runner --resolver --testRunner
      --outputFile --output -o --coverageDirectory --coverage.provider --coverage.reportsDirectory --testResultsProcessor
      --watchPlugins --cacheDirectory -u --updateSnapshot --update --update-snapshots --ui --api --browser --execArgv
      --node-option --node-arguments --config-loader --configLoader --attachmentsDir --pool --typecheck.checker --typecheck.tsconfig
      --diff --projects --roots --report-dir --temp-dir --filter --preset --testSequencer --prettierPath --snapshotSerializers`,
    runsFiles: true,
  },
  {
    names: "pytest py.test",
    values: "-c --rootdir -p -o -k -m -n --maxfail --tb --junitxml --confcutdir --basetemp",
    reaches: `-c --rootdir -p -o --override-ini --confcutdir --basetemp --junitxml --junit-xml --log-file --pdb --pdbcls --trace
      --debug --cov-report --cov-config --import-mode --pythonwarnings -W --pastebin --html --self-contained-html --json-report-file
      --snapshot-update --inline-snapshot --profile-svg --benchmark-json --tx`,
    runsFiles: true,
  },
  {
    names:
      "mypy pyright pylint flake8 ruff black isort bandit pyflakes pycodestyle basedpyright autopep8 yapf",
    reaches: `-c --config --config-file --rcfile --settings-path --sp --settings-file --load-plugins --init-hook --init-import
      --python-executable --pythonpath --venvpath --venv-path -p --project --install-types --cache-dir --output --output-file -o
      --fix --fix-only --unsafe-fixes --add-noqa --any-exprs-report --cobertura-xml-report --html-report --linecount-report
      --linecoverage-report --lineprecision-report --txt-report --xml-report --xslt-html-report --xslt-txt-report --junit-xml
      --tee --format -i --in-place --createstub --writebaseline`,
  },
  {
    names:
      "rubocop rspec phpunit phpstan psalm php-cs-fixer rustfmt gofmt goimports clang-format clang-tidy shellcheck golangci-lint ktlint swiftlint",
    reaches: `-a -A --auto-correct --autocorrect --auto-correct-all -c --config --config-file --config-path -r --require -o -w -i
      --out --output --output-file --bootstrap --configuration --autoload-file -I --plugin --load --fix --format --formatter
      --emit --edit --rewrite -cpuprofile --fix-errors --fix-notes --export-fixes --vfsoverlay --log-junit --coverage-html
      --prepend --extensions --generate-baseline`,
  },
];

const COMPILERS: ProgramRow = {
  names:
    "gcc g++ cc c++ clang clang++ rustc javac swiftc kotlinc ghc ocamlc tcc zig ld as nm objdump strip objcopy",
  runs: "anything",
};

export const BUILDS: readonly ProgramRow[] = [...MAKE, ...CHECKERS, COMPILERS];
