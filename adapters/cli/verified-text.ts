// Verified text
// Describes the result of `verify` in words.
//
//   Owns:          the tables and sentences about a verification, the exit code for each result.
//   Does not own:  verifying the folder (wiring).
//
// VERIFIED-TEXT-1. The text about a verification lists what could not be checked, and why; otherwise a reader would believe
//     that all was checked.

import { table } from "./output/table.ts";
import type { VerifiedFolder } from "./wiring.ts";

const ROWS_SHOWN_MAX = 100;

/**
 * The exit code of `verify`: 0 if nothing differs; 1 if this build made something that differs, or an entry that was applied is
 * missing; 3 if another build may have made all that differs: nobody can say then whether that build or damage is the cause.
 */
export function exitCodeOf({
  differences,
  rows,
  missing,
}: Pick<VerifiedFolder, "differences" | "rows" | "missing">): 0 | 1 | 3 {
  const all = [...differences, ...rows.differences];
  if (all.some((each) => !each.isOtherBuild) || missing.some(({ wasApplied }) => wasApplied)) return 1;
  return all.length > 0 ? 3 : 0;
}

export function reportOf(found: VerifiedFolder): string {
  const { differences, rows } = found;
  return [
    ...(differences.length > 0 ? [entriesOf(differences), ""] : []),
    ...(rows.differences.length > 0 ? [rowsOf(rows.differences), ""] : []),
    ...summary(found),
  ].join("\n");
}

const entriesOf = (differences: VerifiedFolder["differences"]): string =>
  table(
    ["POSITION", "WORKSPACE", "SESSION", "TYPE", "KEPT", "NOW", "BUILD"],
    differences.map((each) => [
      String(each.position),
      each.workspace ?? "-",
      each.session ?? "-",
      each.type ?? "-",
      each.kept,
      each.found,
      buildOf(each),
    ]),
  );

function rowsOf(differences: VerifiedFolder["rows"]["differences"]): string {
  const shown = differences.slice(0, ROWS_SHOWN_MAX);
  const more = differences.length - shown.length;
  const lines = table(
    ["ROW", "WHAT", "WHERE", "BUILD"],
    shown.map((each) => [each.key, each.what, each.fields?.join(", ") ?? "-", buildOf(each)]),
  );
  return more > 0 ? `${lines}\nand ${more} more rows: --json names them all` : lines;
}

const buildOf = ({ isOtherBuild }: { readonly isOtherBuild: boolean }): string =>
  isOtherBuild ? "another" : "this one";

function summary(found: VerifiedFolder): readonly string[] {
  const { dir, first, last, compared, earlier, behind, unproven, differences, rows, missing } = found;
  const named = [...differences, ...rows.differences];
  return [
    `Replayed entries ${first} to ${last} of ${dir}: ${compared} compared, ${differences.length} differ.`,
    `Of the rows of the store, ${rows.compared} were compared, ${rows.differences.length} differ.`,
    ...missing.map(gapText),
    ...(behind > 0 ? [`${behind} entries depend on missing ones and were not compared.`] : []),
    ...(earlier > 0
      ? [`${earlier} entries depend on entries before the journal's first one, and were not compared.`]
      : []),
    ...(unproven > 0
      ? [
          `${unproven} entries have no proof: the version that applied them kept no proofs, or the row with the proof is damaged.`,
        ]
      : []),
    ...uncheckedText(rows.unchecked),
    "Not checked: the files of large inputs (`blobs`), and what waits in the spool.",
    ...(named.some(({ isOtherBuild }) => isOtherBuild)
      ? [
          "Entries that another build of Signalbox applied may differ, because that build's code differs: such a difference cannot be told from damage, and nothing is corrected.",
        ]
      : []),
    ...(exitCodeOf(found) !== 1
      ? []
      : [
          "If the same build applied the entries, a difference is a defect, or somebody changed the store's files: keep the folder as it is, and report it.",
        ]),
  ];
}

function gapText({ first, last, wasApplied }: VerifiedFolder["missing"][number]): string {
  const isOne = first === last;
  const range = isOne ? `Entry ${first} is` : `Entries ${first} to ${last} are`;
  const them = isOne ? "it" : "them";
  const what = wasApplied
    ? `The store proves that the engine applied ${them}, so the journal was damaged after that.`
    : `The store has no proof that the engine applied ${them}, so the journal may have been damaged before that.`;
  return `${range} missing from the middle of the journal. ${what}`;
}

const WHY = {
  earlier: "they depend on entries that are no longer there",
  older: "a version that kept no proofs made some of what they depend on",
  unsaid: "no entry records what starts and outlets write there; only form and bounds were checked",
} as const;

function uncheckedText(unchecked: VerifiedFolder["rows"]["unchecked"]): readonly string[] {
  return (Object.keys(WHY) as (keyof typeof WHY)[]).flatMap((why) => {
    const its = unchecked.filter((each) => each.why === why);
    if (its.length === 0) return [];
    const rows = its.reduce((sum, each) => sum + each.rows, 0);
    const tables = its.map(({ table: name }) => name).join(", ");
    return [`${rows} rows were not compared (${tables}): ${WHY[why]}.`];
  });
}
