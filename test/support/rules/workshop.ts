// Workshop
// A throwaway repository in which commands run for real, and what each of them changed there.
//
//   Owns:          making it, running one command in it, telling what is new, changed or gone.
//   Does not own:  which commands.

import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A program that a command may be made to run: it leaves a file. */
const TRAP = "#!/bin/sh\n: >trapped\n";
const FILES = { "a.txt": "b\na\n", "b.txt": "x\n", "s.sed": "w w.out\n", "s.awk": '{ print > "w.out" }\n' };

export class Workshop implements Disposable {
  readonly #room = mkdtempSync(join(tmpdir(), "signalbox-workshop-"));
  readonly #env: Readonly<Record<string, string>>;

  constructor() {
    const [home, repo] = [join(this.#room, "home"), this.#repo];
    this.#env = {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      LC_ALL: "C",
      GIT_CONFIG_NOSYSTEM: "1",
      PAGER: "cat",
    };
    for (const dir of [home, repo, join(repo, "sub")]) mkdirSync(dir);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(join(repo, name), text);
    writeFileSync(join(repo, "trap"), TRAP, { mode: 0o755 });
    writeFileSync(join(repo, "Makefile"), "all:\n\t@echo made\nevil.mk:\n");
    writeFileSync(join(repo, "evil.mk"), "all:\n\t@./trap\n");
    writeFileSync(join(repo, "evil.js"), 'require("node:fs").writeFileSync("trapped", "");\n');
    writeFileSync(join(repo, "x.js"), "0;\n");
    execFileSync("tar", ["cf", "a.tar", "b.txt"], { cwd: repo });
    const who = ["-c", "user.name=a", "-c", "user.email=a@b.c"];
    for (const args of [
      ["init", "-q", "--template="],
      ["add", "."],
      [...who, "commit", "-qm", "first"],
    ])
      execFileSync("git", args, { cwd: repo, env: this.#env });
    writeFileSync(join(repo, "b.txt"), "y\n");
    cpSync(repo, `${repo}.whole`, { recursive: true });
  }

  get #repo(): string {
    return join(this.#room, "repo");
  }

  /** @returns the files that a command left otherwise than it found them, or wrote into git's settings. */
  changedBy(command: string): readonly string[] {
    rmSync(this.#repo, { recursive: true });
    cpSync(`${this.#repo}.whole`, this.#repo, { recursive: true });
    const before = this.#files();
    spawnSync("/bin/sh", ["-c", command], {
      cwd: this.#repo,
      env: this.#env,
      stdio: "ignore",
      timeout: 20_000,
    });
    const after = this.#files();
    return [...new Set([...before.keys(), ...after.keys()])].filter(
      (name) => before.get(name) !== after.get(name),
    );
  }

  #files(): ReadonlyMap<string, string> {
    const names = readdirSync(this.#repo, { recursive: true, encoding: "utf8" });
    const kept = names.filter((name) => !/^\.git\/(?!config$|hooks\/)/.test(name));
    return new Map(kept.map((name) => [name, this.#contentOf(name)]));
  }

  #contentOf(name: string): string {
    const path = join(this.#repo, name);
    return lstatSync(path).isFile() ? readFileSync(path, "latin1") : "";
  }

  [Symbol.dispose](): void {
    rmSync(this.#room, { recursive: true, force: true });
  }
}
