import type { Parameter, Reference, ReferenceOperation } from "./document";
import type { Method } from "./openapi";

export const languages = ["curl", "javascript", "python"] as const;
export type Language = (typeof languages)[number];

/** One call per language. Each reads the key from LECTERN_API_KEY. */
export type Sample = Record<Language, string>;

interface Call {
  method: Method;
  /** The version's URL. */
  api: string;
  /** Below `api`, with parameters in braces. */
  path: string;
  ids: [name: string, value: string][];
  query: [name: string, value: string][];
  body?: [name: string, value: unknown][];
  /** The name of a file to send instead, and its media type. */
  file?: [name: string, type: string];
  /** The field of the answer to print. The whole answer by default. */
  answerField?: string;
}

/** Optional parameters to include in samples. */
const chosen: Record<string, Record<string, string>> = {
  "list-articles": { state: "published", page_size: "100" },
  "get-article": { category: "summary" },
  "upload-file": { file_name: "release-notes.txt" },
};

const written: [name: string, value: string][] = [
  ["title", "Reset your password"],
  ["markdown_content", "Open the sign-in page and select **Forgot password**."],
  ["category_id", "6a3d8e2f-9b5c-4d7e-8f10-2b3c4d5e6f70"],
];

/** The bodies of samples. */
const changes: Record<string, [name: string, value: unknown][]> = {
  "create-article": written,
  "put-article": written,
  "bulk-articles": [
    [
      "items",
      [
        { action: "create", ref: "password", ...Object.fromEntries(written) },
        { action: "publish", ref: "install", article_id: "install-lectern" },
      ],
    ],
  ],
  "create-category": [
    ["name", "Your account"],
    ["description", "Sign-in, billing, and people."],
  ],
  "update-category": [["description", "Sign-in, billing, and people."]],
  "delete-category": [["move_contents_to", "55b029d6-ffd2-4d38-8548-1a4f0e8c9252"]],
  "merge-category": [["into", "5f2c7d1e-8a4b-4c6d-9e0f-1a2b3c4d5e6f"]],
  "order-categories": [
    ["parent_id", "5d1a7c3e-2b4f-4a6d-8c9e-0f1a2b3c4d5e"],
    ["category_ids", ["6e2b8d4f-3c5a-4b7e-9d0f-1a2b3c4d5e6f", "7f3c9e50-4d6b-4c8f-8e10-2b3c4d5e6f70"]],
  ],
  "update-article": [
    ["title", "Reset your password"],
    ["publish", true],
  ],
  "discard-draft": [["on_conflict", "keep_version"]],
  "update-tag": [["name", "security"]],
  "merge-tag": [["into", "7b4e9f30-ac6d-4e8f-9021-3c4d5e6f7081"]],
  "create-redirect": [
    ["from", "/help/password"],
    ["to", { article_id: "c1a5f0b2-3d4e-4f60-8a9b-0c1d2e3f4a5b" }],
  ],
  "bulk-redirects": [
    [
      "items",
      [
        { action: "create", ref: "billing", from: "/help/billing", to: { path: "https://example.com/billing" } },
        { action: "delete", ref: "old", redirect_id: "f4d8c3e5-6071-4283-9dce-3f4a5b6c7d8e" },
      ],
    ],
  ],
  "update-redirect": [["to", { path: "https://example.com/sign-in" }]],
  "create-synonym": [
    ["term", "2fa"],
    ["replacements", ["two-factor sign-in"]],
  ],
  "update-synonym": [["replacements", ["two-factor sign-in", "second factor"]]],
  "create-webhook": [
    ["url", "https://hooks.example.com/lectern"],
    ["description", "Search index"],
    ["events", ["article.published", "article.unpublished"]],
  ],
  "update-webhook": [["description", "Search index"]],
  "create-invitation": [
    ["email", "grace@example.com"],
    ["role", "Editor"],
  ],
  "update-team-member": [["time_zone", "Europe/London"]],
};

const files: Record<string, [name: string, type: string]> = { "upload-file": ["release-notes.txt", "text/plain"] };

/** @param values parameters to use instead of the document's examples */
export function sampleOf(
  { basePath }: Pick<Reference, "basePath">,
  operation: ReferenceOperation,
  base: string,
  values: Record<string, string> = {},
): Sample {
  const { anchor, method, path, parameters, answers } = operation;
  const sent = (name: string, example: string) => values[name] ?? chosen[anchor]?.[name] ?? example;
  const named = (wanted: (one: Parameter) => boolean) =>
    parameters.filter(wanted).map(({ name, example }): [string, string] => [name, sent(name, example)]);
  const [first, ...more] = answers.find(({ status }) => status.startsWith("2"))?.fields ?? [];
  const call: Call = {
    method,
    api: base + basePath,
    path: path.slice(basePath.length),
    ids: named((one) => one.in === "path"),
    query: named((one) => one.in === "query" && (one.required || Boolean(chosen[anchor]?.[one.name]))),
    body: changes[anchor],
    file: files[anchor],
    answerField: first && (first.type.startsWith("array") || more.length === 0) ? first.name : undefined,
  };
  return { curl: curl(call), javascript: javascript(call), python: python(call) };
}

function curl({ method, api, path, ids, query, body, file }: Call): string {
  const values = new Map(ids);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values.get(name) ?? ""));
  const option = method === "GET" ? (query.length > 0 ? "-G " : "") : `-X ${method} `;
  return [
    `curl ${option}"${api}${filled}${file ? `?${new URLSearchParams(query).toString()}` : ""}"`,
    `-H "X-Api-Key: $LECTERN_API_KEY"`,
    ...(file
      ? [`-H "Content-Type: ${file[1]}"`, `--data-binary "@${file[0]}"`]
      : query.map(([name, value]) => `--data-urlencode "${name}=${value}"`)),
    ...(body ? [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(Object.fromEntries(body))}'`] : []),
  ].join(" \\\n  ");
}

function javascript({ method, api, path, ids, query, body, file, answerField }: Call): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`);
  const key = `"X-Api-Key": process.env.LECTERN_API_KEY`;
  const type = body ? "application/json" : file?.[1];
  return lines(
    file && [`import { readFile } from "node:fs/promises";`, ``],
    `const api = "${api}";`,
    ids.map(([name, value]) => `const ${camelCase(name)} = "${value}";`),
    query.length > 0 && [`const query = new URLSearchParams({`, ...entries(query, "  "), `});`],
    ``,
    `const response = await fetch(\`\${api}${filled}${query.length > 0 ? "?\${query}" : ""}\`, {`,
    method !== "GET" && `  method: "${method}",`,
    type ? [`  headers: {`, `    ${key},`, `    "Content-Type": "${type}",`, `  },`] : `  headers: { ${key} },`,
    file && `  body: await readFile("${file[0]}"),`,
    body && [`  body: JSON.stringify({`, ...entries(body, "    "), `  }),`],
    `});`,
    `const answer = await response.json();`,
    `if (!response.ok) throw new Error(answer.error);`,
    ``,
    `console.log(answer${answerField ? `.${answerField}` : ""});`,
  );
}

function python({ method, api, path, ids, query, body, file, answerField }: Call): string {
  const key = `"X-Api-Key": os.environ["LECTERN_API_KEY"]`;
  const type = body ? "application/json" : file?.[1];
  return lines(
    `import json`,
    `import os`,
    query.length > 0 && `from urllib.parse import urlencode`,
    `from urllib.request import Request, urlopen`,
    ``,
    `api = "${api}"`,
    ids.map(([name, value]) => `${name} = "${value}"`),
    query.length > 0 && [`query = urlencode({`, ...pythonEntries(query, "    "), `})`],
    ``,
    `request = Request(`,
    `    f"{api}${path}${query.length > 0 ? "?{query}" : ""}",`,
    method !== "GET" && `    method="${method}",`,
    type
      ? [`    headers={`, `        ${key},`, `        "Content-Type": "${type}",`, `    },`]
      : `    headers={${key}},`,
    file && `    data=open("${file[0]}", "rb").read(),`,
    body && [`    data=json.dumps({`, ...pythonEntries(body, "        "), `    }).encode(),`],
    `)`,
    `with urlopen(request) as response:`,
    `    answer = json.load(response)`,
    ``,
    `print(json.dumps(answer${answerField ? `["${answerField}"]` : ""}, indent=2))`,
  );
}

function entries(fields: [name: string, value: unknown][], indent: string): string[] {
  return fields.map(([name, value]) => `${indent}${name}: ${JSON.stringify(value, null, 1).replace(/\n\s*/g, " ")},`);
}

function pythonEntries(fields: [name: string, value: unknown][], indent: string): string[] {
  return fields.map(([name, value]) => `${indent}"${name}": ${pythonLiteral(value)},`);
}

/** On one line, with spaces. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const parts = Array.isArray(value)
    ? value.map(pythonLiteral)
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonLiteral(one)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return parts.length > 0 ? `${open} ${parts.join(", ")} ${close}` : `${open}${close}`;
}

function lines(...parts: (string | string[] | false | undefined)[]): string {
  return parts.flatMap((part) => (part === false || part === undefined ? [] : part)).join("\n");
}

function camelCase(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
