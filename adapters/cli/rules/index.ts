// Rules on the command line: their requests to the engine, and the text of its answers.

export { type RuleAnswer, ruleAnswer, ruledAnswer, ruleLines, ruleTable, ruleText } from "./text.ts";
export { exportRules, type FileAction, type FileOptions, ruleFile } from "./file-actions.ts";
export { fileSchema } from "./file-form.ts";
export { bodyOf, suggestionsAnswer, suggestionsText } from "./suggestions.ts";
export { conditionOptions, durationMs, termsOf, type TermOptions, workspaceOf } from "./terms.ts";
export { testRules, type TestOptions } from "./testing.ts";
