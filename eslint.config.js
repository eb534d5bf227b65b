import tseslint from "typescript-eslint";

const banned = (names) => names.map((name) => ({ name, message: `${name} is not allowed in this layer` }));

export default tseslint.config(
  {
    ignores: [
      "dist/",
      ".bench/",
      "node_modules/",
      "eslint.config.js",
      "test/recordings/",
      "docs/examples/",
      "bench/peers/",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/no-floating-promises": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/restrict-template-expressions": [
        "error",
        { allowNumber: true, allowBoolean: true },
      ],
      "@typescript-eslint/no-confusing-void-expression": [
        "error",
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      "@typescript-eslint/no-unused-vars": [
        "error",
        { ignoreRestSiblings: true, varsIgnorePattern: "^_", argsIgnorePattern: "^_" },
      ],
      "max-lines": ["error", { max: 300 }],
      "no-console": "error",
      eqeqeq: "error",
    },
  },
  {
    files: ["machines/**/*.ts"],
    rules: {
      "no-restricted-globals": [
        "error",
        ...banned(["Date", "setTimeout", "setInterval", "process", "crypto", "performance"]),
      ],
      "no-restricted-imports": ["error", { patterns: ["node:*", "../runtime/*", "../adapters/*"] }],
    },
  },
  {
    files: ["runtime/**/*.ts"],
    rules: { "no-restricted-imports": ["error", { patterns: ["**/adapters/*"] }] },
  },
  {
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: { "no-console": "off", "@typescript-eslint/no-non-null-assertion": "off" },
  },
);
