// Trial
// A copy of the project with one bug in it, and what its tests say of that.
//
//   Owns:          the copy, planting and taking out, running the tests that should notice.
//   Does not own:  the bugs (bugs/), what is printed (run.ts).
//
// TRIAL-1. The project's own files are never touched: bugs are planted in a copy. (checked by review: it runs outside of the
//     tests)
// TRIAL-2. A bug counts as caught only by a failing test of each witness that claims what the bug breaks. A file
//     that does not load, or a test that fails for the bug but claims something else, catches nothing.

import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { type Bug, claims, planted, type Witness, witnessesOf } from "./bug.ts";

const run = promisify(execFile);
const LIMIT_MS = 10 * 60 * 1000;
const OUTPUT_MAX = 64 * 1024 * 1024;

/** What vitest's JSON report says of one test. */
interface Reported {
  readonly title: string;
  readonly status: string;
}

interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly Reported[];
  }[];
}

export interface Found {
  /** The witnesses that did not notice: none where the bug is caught. */
  readonly blind: readonly Witness[];
  /** Titles of the tests that failed. */
  readonly failed: readonly string[];
}

export class Trial {
  readonly #dir: string;

  private constructor(dir: string) {
    this.#dir = dir;
  }

  /** Copies the files git knows or would add, and builds them; packages are shared with the project. */
  static async begin(root: string): Promise<Trial> {
    const dir = await mkdtemp(join(tmpdir(), "signalbox-planted-"));
    const listed = await run("git", ["ls-files", "-z", "-c", "-o", "--exclude-standard"], {
      cwd: root,
      maxBuffer: OUTPUT_MAX,
    });
    for (const file of listed.stdout.split("\0").filter((name) => name !== "")) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await cp(join(root, file), join(dir, file));
    }
    await symlink(join(root, "node_modules"), join(dir, "node_modules"));
    // Some tests serve the panel's page, or run the program.
    await run("npm", ["run", "build"], { cwd: dir, maxBuffer: OUTPUT_MAX });
    return new Trial(dir);
  }

  /** @returns the titles that fail without any bug: there must be none. */
  async unharmed(files: readonly string[]): Promise<readonly string[]> {
    return failures(await this.#test(files)).map(({ title }) => title);
  }

  /** Plants the bug, runs its witnesses, takes the bug out again. */
  async of(bug: Bug): Promise<Found> {
    const before = new Map<string, string>();
    for (const edit of bug.edits) {
      const text = await readFile(join(this.#dir, edit.file), "utf8");
      if (!before.has(edit.file)) before.set(edit.file, text);
      await writeFile(join(this.#dir, edit.file), planted(text, edit));
    }
    try {
      const witnesses = witnessesOf(bug);
      const failed = failures(await this.#test(witnesses.map(({ file }) => file)));
      const isBlind = ({ file, claim }: Witness): boolean =>
        !failed.some((each) => each.file === join(this.#dir, file) && claims(each.title, claim));
      return { blind: witnesses.filter(isBlind), failed: failed.map(({ title }) => title) };
    } finally {
      for (const [file, text] of before) await writeFile(join(this.#dir, file), text);
    }
  }

  async end(): Promise<void> {
    await rm(this.#dir, { recursive: true, force: true });
  }

  async #test(files: readonly string[]): Promise<Report> {
    const output = join(this.#dir, "report.json");
    await rm(output, { force: true });
    const args = ["run", ...files, "--reporter=json", `--outputFile=${output}`];
    const ended = await run(join(this.#dir, "node_modules", ".bin", "vitest"), args, {
      cwd: this.#dir,
      // A witness must notice by the values it always tries: a new seed may miss a bug, or find another.
      env: { ...process.env, PROPERTY_SEED: "1" },
      timeout: LIMIT_MS,
      maxBuffer: OUTPUT_MAX,
    }).catch((error: unknown) => error as { stderr?: string });
    try {
      // Vitest's own report.
      return JSON.parse(await readFile(output, "utf8")) as Report;
    } catch (cause) {
      throw new Error(`The tests of ${files.join(", ")} wrote no report. ${ended.stderr ?? ""}`, { cause });
    }
  }
}

interface Failed {
  readonly file: string;
  readonly title: string;
}

/** @throws Error where a file failed as a whole: that proves nothing. */
function failures({ testResults }: Report): readonly Failed[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((each) => each.status === "failed");
    if (status === "failed" && failed.length === 0)
      throw new Error(`The test file ${name} could not be run: ${message}`);
    return failed.map(({ title }) => ({ file: name, title }));
  });
}
