// Rules
// Rules on the command line: what is asked of the engine, and how its answers are printed.

export { type RuleAnswer, ruleAnswer, ruledAnswer, ruleLines, ruleTable, ruleText } from "./text.ts";
export { exportRules, type FileAction, type FileOptions, ruleFile } from "./file-actions.ts";
export { fileSchema } from "./file-form.ts";
export { bodyOf, suggestionsAnswer, suggestionsText } from "./suggestions.ts";
export { conditionOptions, durationMs, termsOf, type TermOptions, workspaceOf } from "./terms.ts";
export { testRules, type TestOptions } from "./testing.ts";
