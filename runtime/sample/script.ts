// Script
// The calls of the sample's agent: ten calls of one message, some of which need a person's approval (seed 003).
//
//   Owns:          the calls of the sample's agent.
//   Does not own:  sending the sample's calls (sample.ts).

export interface Step {
  readonly tool: string;
  readonly input: object;
  readonly intent: string;
  readonly output: string;
}

const read = (file: string, intent: string): Step => ({
  tool: "Read",
  input: { file_path: `/home/you/shop/${file}` },
  intent,
  output: `the text of ${file}`,
});

const bash = (command: string, description: string, output: string): Step => ({
  tool: "Bash",
  input: { command, description },
  intent: description,
  output,
});

export const STEPS: readonly Step[] = [
  read("src/cart.ts", "See how the total is summed up"),
  bash("npm test -- cart", "Run the cart's tests", "2 failed, 14 passed"),
  bash("git log --oneline -5 -- src/cart.ts", "See who changed the cart last", "5 commits"),
  read("src/tax.ts", "Check how tax is rounded"),
  read("test/cart.test.ts", "See what the failing tests expect"),
  bash("rm -rf node_modules/.cache && npm run build", "Build again without the cache", "built in 3.1 s"),
  {
    tool: "Write",
    input: {
      file_path: "/home/you/shop/src/cart.ts",
      content:
        "export const total = (lines: readonly Line[]) =>\n  round(lines.reduce((sum, line) => sum + line.price * line.count, 0));\n",
    },
    intent: "Round once, at the end",
    output: "written",
  },
  read("src/cart.ts", "Read the change again"),
  bash("npm test", "Run all tests", "16 passed"),
  read("CHANGELOG.md", "Find where the change is to be noted"),
];

export const needsConsent = ({ tool }: Step): boolean => tool !== "Read";
