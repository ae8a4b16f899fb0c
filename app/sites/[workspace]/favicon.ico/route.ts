import { iconAnswer } from "../_icon";

export async function GET(request: Request, context: { params: Promise<{ workspace: string }> }) {
  return iconAnswer(request, (await context.params).workspace, "favicon.ico");
}
