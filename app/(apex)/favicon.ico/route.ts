import { fileAnswer } from "@/lib/http/file-answer";
import { drawProductIcon } from "@/lib/reader/draw-workspace-icon";

/** Seconds. */
const AGE = 24 * 60 * 60;

export async function GET(request: Request) {
  return fileAnswer(request, await drawProductIcon(), { contentType: "image/x-icon", maxAge: AGE });
}
