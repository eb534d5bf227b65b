// Verified text
// The text about the result of a verification.
//
//   Owns:          the tables, the sentences, which results count as sound.
//   Does not own:  the verification (wiring).
//
// VERIFIED-TEXT-1. The text lists what could not be checked, with the reason, beside what was checked: otherwise a reader
//     would believe that everything was checked.

import { table } from "./output/table.ts";
import type { VerifiedFolder } from "./wiring.ts";

const ROWS_SHOWN_MAX = 100;

/** True if nothing differs but rows that another build may have made. */
export function isSound({ differences, rows, missing }: VerifiedFolder): boolean {
  const isOurs = (each: { readonly isOtherBuild: boolean }): boolean => !each.isOtherBuild;
  return ![...differences, ...rows.differences].some(isOurs) && !missing.some(({ wasApplied }) => wasApplied);
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
          "Entries that another build of Signalbox applied may differ, because its code differs: nothing is corrected.",
        ]
      : []),
    ...(isSound(found)
      ? []
      : [
          "If the same build applied them, a difference is a defect, or somebody changed the store's files: keep the folder as it is, and report it.",
        ]),
  ];
}

function gapText({ first, last, wasApplied }: VerifiedFolder["missing"][number]): string {
  const isOne = first === last;
  const range = isOne ? `Entry ${first} is` : `Entries ${first} to ${last} are`;
  const what = wasApplied
    ? `${isOne ? "The entry left its proof" : "The entries left their proofs"}, so the journal was damaged after that.`
    : `${isOne ? "The entry left no proof" : "The entries left no proofs"}: the journal may have been damaged before.`;
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
