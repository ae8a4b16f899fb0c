import { z } from "zod";
import { readOperation } from "@/lib/api/operation";
import { route } from "@/lib/api/route";
import { getSettings } from "@/lib/settings/settings";
import { urlsOf } from "../_shapes/urls";

const getSetting = readOperation({
  operationId: "getSetting",
  tag: "Workspace",
  summary: "Get the knowledge base settings",
  description: "Returns the name and URL of the knowledge base, without a wrapper object.",
  returns: "The settings.",
  example: { knowledge_base_name: "Example Help Center", url: "https://docs.example.com" },
  scope: "public",
  keeps: () => true,
  params: z.object({}),
  query: z.object({}),
  response: z
    .object({
      knowledge_base_name: z.string().describe("The name that readers see."),
      url: z.url().describe("The absolute URL of the knowledge base."),
    })
    .meta({ id: "Setting", description: "The settings of the knowledge base." }),
  async handle({ read }) {
    const settings = await getSettings(read);
    return { knowledge_base_name: settings.name, url: urlsOf(settings).home };
  },
});

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = route({ GET: getSetting });
