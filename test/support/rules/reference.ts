// Reference
// What rules say, written a second time and otherwise: with regular expressions, one rule and one text at a time.
//
//   Owns:          the reference for properties.
//   Does not own:  speed, and anything that the machines' own matcher has.

const PLAIN_WORD = `(?:[A-Za-z0-9_@%+:,./-]|(?!^)=|'[ -&(-~]*'(?!')|"[ #%-\\[\\]-_a-~]*")`;
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");

/** The words of a plain command; undefined for any other text. */
function referenceWords(text: string): readonly string[] | undefined {
  const rough = text.match(/(?:'[^']*'|"[^"]*"|[^ \t'"])+/g) ?? [];
  const joined = text.replace(/(?:'[^']*'|"[^"]*"|[^ \t'"])+/g, "").replace(/[ \t]/g, "");
  const isPlain = rough.every((word) => new RegExp(`^${PLAIN_WORD}+$`).test(word) && !word.startsWith("="));
  if (joined !== "" || !isPlain) return undefined;
  const words = rough.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
  const [first] = words;
  return first === undefined || first === "" || first.includes("=") ? undefined : words;
}

/** @param pattern words without quotes, with `*`. */
export function referenceAllows(pattern: string, text: string): boolean {
  const words = referenceWords(text);
  if (!words) return false;
  const wanted = pattern.split(" ");
  const isOpen = wanted.length > 1 && wanted.at(-1) === "*";
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  const each = fixed.map((word) => word.split("*").map(escaped).join("[^\\0]*"));
  const whole = `^${each.join("\\0")}${isOpen ? "(?:\\0[^\\0]*)*" : ""}$`;
  return new RegExp(whole).test(words.join("\0"));
}

const GIT_BEFORE =
  /^(?:--no-pager|-P|-v|-h|-[Pvh]+|--version|--help|--(?:no-)?(?:literal|glob|icase)-pathspecs)$/;
const GIT_VALUES = /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/;
/** Git takes the beginning of a long option for the whole, so each beginning reaches as far. */
const GIT_REACHES =
  /^-(?!-).*O|^--(?:[oegwuctrs]|ou|out.*|ex.*|up.*|con?|conf(?:ig?)?|git?|git-(?:d.*)?|wor?|work.*|un|uns.*|tem?|temp|templ.*|ope?|open.*|re|rec.*|se|sep.*)(?:=|$)/;

/** Git's other commands that a short text spells by chance (`git --list-cmds=main`). */
const GIT_OTHERS =
  /^(?:add|am|apply|clean|clone|diff|fetch|fsck|gc|grep|help|hook|init|merge|mktag|mv|notes|prune|pull|push|reset|shell|show|stage|stash|tag|var)$/;

/** True for a text that may run a command of git which the reference does not know. */
export const isBeyondReference = (text: string): boolean =>
  referenceWords(text)?.some((word) => GIT_OTHERS.test(word)) === true;

/** What a pattern that allows git must name, for the few commands that these tests use. Other programs reach nothing. */
export function referenceNames(pattern: string, text: string): boolean {
  const words = referenceWords(text) ?? [];
  const wanted = pattern.split(" ");
  if (words[0] !== "git") return true;
  const isPresent = (n: number): boolean =>
    words[n] === undefined || (wanted[n] !== undefined && !(n === wanted.length - 1 && wanted[n] === "*"));
  const isThere = (n: number): boolean => isPresent(n) && wanted[n]?.includes("*") !== true;
  let command = 1;
  let isNamed = true;
  for (let word = words[command]; word !== undefined && /^-./.test(word); word = words[(command += 1)]) {
    if (!GIT_BEFORE.test(word)) isNamed &&= isThere(command);
    if (GIT_VALUES.test(word)) isNamed &&= isPresent((command += 1));
  }
  if (!/^(?:status|log|rm)$/.test(words[command] ?? "log")) isNamed &&= isThere(command);
  const reaching = words.map((word, n) => {
    const isReaching = GIT_REACHES.test(word) || (words[command] === "status" && /^-(?!-).*c/.test(word));
    return n > command && isReaching ? isThere(n) : true;
  });
  return isNamed && !reaching.includes(false);
}

/** @param pattern absolute, with `*` and `**`. */
export function referenceAllowsPath(pattern: string, path: string): boolean {
  if (!/^\//.test(path) || /[\u0000-\u001f\u007f\\]/.test(path)) return false;
  const clean = (text: string): string =>
    text.replace(/\/(?:\.?\/)+/g, "/").replace(/(?<=\/)\.$|(?<=.)\/$/g, "");
  const twice = clean(clean(path));
  if (twice.split("/").includes("..")) return false;
  const names = clean(clean(pattern))
    .split("/")
    .slice(1)
    .filter((name) => name !== "")
    .map((name) => (name === "**" ? "(?:/[^/]+)*" : `/${name.split("*").map(escaped).join("[^/]*")}`));
  return new RegExp(`^${names.join("") || "/?"}$`).test(twice === "/" && names.length > 0 ? "" : twice);
}
