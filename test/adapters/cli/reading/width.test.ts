// Width
// The columns of characters, by the first and last of their ranges in Unicode's table EastAsianWidth.txt.

import { expect, test } from "vitest";
import { widthOf } from "../../../../adapters/cli/output/width.ts";

const WIDE = [
  ...["1100..115F", "231A..231B", "2329..232A", "23E9..23EC", "2614..2615", "2E80..2E99", "3000..303E"],
  ...["3041..3096", "3400..4DBF", "4E00..A48C", "A960..A97C", "AC00..D7A3", "F900..FAFF", "FE10..FE19"],
  ...["FE30..FE52", "FF01..FF60", "FFE0..FFE6", "17000..187F7", "18D00..18D08", "1AFF0..1AFF3"],
  ...["1AFFD..1AFFE", "1B000..1B122", "1F200..1F202", "1F210..1F23B", "1F240..1F248", "1F250..1F251"],
  ...["1F260..1F265", "1F300..1F320", "20000..2FFFD", "30000..3FFFD"],
];
const MARKS = ["0300..036F", "FE00..FE0F", "302A..302D"];
const ONE = ["0061..007A", "2190..219F", "FF61..FFDC", "1F1E6..1F1FF", "E000..F8FF"];

test.each([
  [2, WIDE],
  [0, MARKS],
  [1, ONE],
] as const)("OUTPUT-WIDTH-1: a character takes %i columns as Unicode's table says", (columns, ranges) => {
  const ends = ranges.flatMap((range) => range.split("..").map((each) => Number.parseInt(each, 16)));
  expect(ends.filter((each) => widthOf(String.fromCodePoint(each)) !== columns)).toEqual([]);
});
