import { z } from "zod";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { everyScope, permissionOf, scopes } from "@/lib/api-keys/scopes";
import { urlsOf } from "../_shapes/urls";

const getMe = readOperation({
  operationId: "getMe",
  tag: "Workspace",
  summary: "Get the current workspace and API key",
  description:
    "Returns the workspace of this host and what the key can do. This is a good first call, because it needs nothing but a working key.",
  returns: "The workspace and the key.",
  example: {
    workspace: {
      id: "1b2c3d4e-5f60-4718-8293-a4b5c6d7e8f9",
      name: "Example Help Center",
      subdomain: "docs",
      url: "https://docs.example.com",
    },
    api_key: {
      id: "9d60b152-ce8f-40a1-9243-5e6f70819203",
      name: "My program",
      last_four: "x7Qa",
      permission: "read",
      scopes: ["public"],
      created_at: "2026-01-05T08:00:00.000Z",
      expires_at: null,
      last_used_at: "2026-01-31T09:30:00.000Z",
    },
  },
  scope: null,
  isAboutKey: true,
  noStore: true,
  params: z.object({}),
  query: z.object({}),
  response: z
    .object({
      workspace: z
        .object({
          id: z.guid().describe("The workspace's ID."),
          name: z.string().describe("The name."),
          subdomain: z.string().describe("The subdomain."),
          url: z.url().describe("The absolute URL."),
        })
        .meta({ id: "Workspace", description: "The workspace of the host and the key." }),
      api_key: z
        .object({
          id: z.guid().describe("The key's ID."),
          name: z.string().describe("The name of the key."),
          last_four: z.string().describe("The last 4 characters of the key, to tell keys apart."),
          permission: z
            .enum(["read", "read_write"])
            .describe("`read_write` if the key has the `members.write` scope, otherwise `read`. Prefer `scopes`."),
          scopes: z
            .array(
              z.enum(everyScope).meta({
                id: "Scope",
                description: everyScope.map((scope) => `\`${scope}\`: ${scopes[scope].sentence}`).join(" "),
              }),
            )
            .describe("What the key can do. `content.read` includes `public`."),
          created_at: z.iso.datetime().describe("When it was created."),
          expires_at: z.iso.datetime().nullable().describe("When it expires, or null if it never does."),
          last_used_at: z.iso
            .datetime()
            .nullable()
            .describe("When it was last used, to within a few minutes, or null if never."),
        })
        .meta({ id: "ApiKey", description: "The key of this request." }),
    })
    .meta({ id: "Me", description: "The workspace and the key." }),
  async handle({ workspace, key }) {
    return {
      workspace: {
        id: workspace.id,
        name: workspace.name,
        subdomain: workspace.subdomain,
        url: urlsOf(workspace).home,
      },
      api_key: {
        id: key.id,
        name: key.name,
        last_four: key.lastFour,
        permission: permissionOf(key.scopes),
        scopes: key.scopes,
        created_at: key.createdAt.toISOString(),
        expires_at: key.expiresAt?.toISOString() ?? null,
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
      },
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getMe });
