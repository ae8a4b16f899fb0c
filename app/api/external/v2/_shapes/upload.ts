import { z } from "zod";
import type { Upload } from "@/lib/uploads/uploads";
import type { Urls } from "./urls";

const size = z.int().min(1).nullable();

export const UploadDetails = z
  .object({
    id: z.guid().describe("The file's ID. Send it in `attachment_ids` to attach the file to an article."),
    filename: z.string().describe("The filename, without characters that file systems don't allow."),
    content_type: z.string().describe("The media type, detected from the content."),
    byte_size: z.int().min(0).describe("The size in bytes. Images are encoded again, so their size changes."),
    width: size.describe("The width in pixels. Null unless the file is an image."),
    height: size.describe("The height in pixels. Null unless the file is an image."),
    url: z.url().describe("The absolute URL, for `html_content` and `markdown_content`."),
  })
  .meta({ id: "Upload", description: "A file that was uploaded." });

export function uploadShape(
  { id, filename, contentType, byteSize, width, height }: Upload,
  urls: Urls,
): z.input<typeof UploadDetails> {
  return { id, filename, content_type: contentType, byte_size: byteSize, width, height, url: urls.upload(id) };
}
