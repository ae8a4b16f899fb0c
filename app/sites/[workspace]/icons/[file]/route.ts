import { iconFiles } from "@/lib/reader/workspace-icon";
import { iconAnswer, noIcon } from "../../_icon";

/** `/icons/96.png` for browsers, `/icons/180.png` for home screens. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; file: string }> }) {
  const { workspace, file } = await context.params;
  const known = iconFiles.find((name) => name === file && name.endsWith(".png"));
  return known ? iconAnswer(request, workspace, known) : noIcon();
}
