import { z } from "zod";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { getSettings } from "@/lib/settings";
import { addressesOf } from "../_shapes/addresses";

const getSetting = readOperation({
  summary: "Get the settings of the knowledge base",
  permission: "read",
  params: z.object({}),
  query: z.object({}),
  response: z.object({ knowledge_base_name: z.string(), url: z.url() }),
  async handle({ read }) {
    const settings = await getSettings(read);
    return { knowledge_base_name: settings.name, url: addressesOf(settings).home };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getSetting });
