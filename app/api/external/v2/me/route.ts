import { z } from "zod";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { addressesOf } from "../_shapes/addresses";

const getMe = readOperation({
  summary: "Get the workspace and the API key of this request",
  permission: "read",
  noStore: true,
  params: z.object({}),
  query: z.object({}),
  response: z.object({
    workspace: z.object({ id: z.guid(), name: z.string(), subdomain: z.string(), url: z.url() }),
    api_key: z.object({
      id: z.guid(),
      name: z.string(),
      last_four: z.string(),
      permission: z.enum(["read", "read_write"]),
      created_at: z.iso.datetime(),
      expires_at: z.iso.datetime().nullable(),
      last_used_at: z.iso.datetime().nullable(),
    }),
  }),
  async handle({ workspace, key }) {
    return {
      workspace: {
        id: workspace.id,
        name: workspace.name,
        subdomain: workspace.subdomain,
        url: addressesOf(workspace).home,
      },
      api_key: {
        id: key.id,
        name: key.name,
        last_four: key.lastFour,
        permission: key.permission,
        created_at: key.createdAt.toISOString(),
        expires_at: key.expiresAt?.toISOString() ?? null,
        last_used_at: key.lastUsedAt?.toISOString() ?? null,
      },
    };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getMe });
