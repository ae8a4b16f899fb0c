import next from "@next/eslint-plugin-next";
import { defineConfig, globalIgnores } from "eslint/config";
import reactHooks from "eslint-plugin-react-hooks";
import typescript from "typescript-eslint";

// Rules that find bugs. Form is Biome's. Which folder may import which is in .dependency-cruiser.mjs: only what needs
// the name of an import, and not just its file, is here.

const acrossWorkspaces =
  "acrossWorkspaces is the client without the wall, and enterWorkspace enters any workspace. Ask inside inWorkspace or " +
  "readWorkspace (lib/db.ts); a question that really is about all workspaces belongs in lib/workspaces/workspaces.ts.";

const noImportOfTheBareClient = {
  selector: "ImportExpression[source.value=/(^@\\u002Flib|^\\.).*\\u002Fdb(\\.ts)?$/]",
  message: `Import lib/db by an import statement. ${acrossWorkspaces}`,
};

/** SQL that removes the wall or sets it to another workspace. */
const walls = String.raw`/\b(re)?set\s+((local|session)\s+)?(role|session\s+authorization)\b|\bset_config\s*\(|\bset\s+((local|session)\s+)?app\.workspace_id\b/i`;
const noWallOfItsOwn = ["Literal[value=", "TemplateElement[value.raw="].map((node) => ({
  selector: `${node}${walls}]`,
  message:
    "Only lib/db.ts sets the database role and workspace. This SQL would bypass the " +
    "wall. Ask inside inWorkspace or readWorkspace.",
}));

/** Files that may use the client without the wall. */
const acrossAll = [
  "lib/{counters,delays,site}.ts",
  "lib/workspaces/**",
  "lib/api/keys.ts",
  "bin/**",
  "tools/**",
  "prisma/seed.ts",
  "server.ts",
  "testing/**",
  "**/*.test.{ts,tsx}",
];

export default defineConfig(
  globalIgnores(["lib/generated/", ".next/", "dist/", "packages/*/dist/", ".data/", "next-env.d.ts"]),
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.{ts,tsx}"],
    extends: [typescript.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/consistent-type-imports": ["error", { disallowTypeAnnotations: false }],
      // Otherwise the import stays when the types are gone, and loads the file.
      "@typescript-eslint/no-import-type-side-effects": "error",
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/return-await": ["error", "error-handling-correctness-only"],
      "@typescript-eslint/no-unnecessary-condition": ["error", { allowConstantLoopConditions: true }],
      // An async function without await still turns what it throws into a rejection.
      "@typescript-eslint/require-await": "off",
      // tsc finds them (noUnusedLocals), and knows why a name begins with an underscore.
      "@typescript-eslint/no-unused-vars": "off",
    },
  },
  {
    // Contents of responses are asserted, not declared.
    files: [
      "**/*.{test,spec}.{ts,tsx}",
      "testing/**",
      "packages/client/src/testing.ts",
      "tools/fuzz/{document,remote}.ts",
    ],
    rules: {
      "@typescript-eslint/no-explicit-any": "off",
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  {
    files: ["{app,components}/**/*.{ts,tsx}"],
    extends: [next.configs["core-web-vitals"], reactHooks.configs.flat.recommended],
    // It reads addresses off the folders, but ours begin at the host: "/" is another page on each.
    rules: { "@next/next/no-html-link-for-pages": "off" },
  },
  {
    files: ["**/*.{ts,tsx,mjs}"],
    ignores: ["lib/db.ts", "{bin,tools,e2e,prisma}/**", "testing/**", "**/*.test.{ts,tsx}", "eslint.config.mjs"],
    rules: { "no-restricted-syntax": ["error", ...noWallOfItsOwn] },
  },
  {
    files: ["**/*.{ts,tsx,mjs}"],
    ignores: acrossAll,
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              regex: "^(@/lib|\\..*)/db(\\.ts)?$",
              importNames: ["acrossWorkspaces", "enterWorkspace"],
              message: acrossWorkspaces,
            },
          ],
        },
      ],
      // The rule above does not look at these. If a rule is set several times, the last setting counts.
      "no-restricted-syntax": ["error", noImportOfTheBareClient, ...noWallOfItsOwn],
    },
  },
  {
    files: ["lib/db.ts", "{e2e,prisma}/**/*.{ts,tsx,mjs}"],
    ignores: acrossAll,
    rules: { "no-restricted-syntax": ["error", noImportOfTheBareClient] },
  },
);
