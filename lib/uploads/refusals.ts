import { InvalidError } from "@/lib/errors";
import type { UploadKind, UploadLimits } from "@/lib/uploads/kinds";

export type UploadReason = keyof typeof sentences;

const nouns = { picture: "A picture", logo: "A logo", image: "An image", attachment: "A file" };
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toLocaleString("en")} MB`;

const sentences = {
  missing: () => "No file was chosen: choose one, then upload it.",
  empty: () => "The file is empty: choose one that has content.",
  large: (kind: UploadKind, { imageBytes, attachmentBytes }: UploadLimits) => {
    const most = kind === "attachment" ? Math.max(imageBytes, attachmentBytes) : imageBytes;
    return `${nouns[kind]} may have ${megabytes(most)} at most, and this has more: make it smaller.`;
  },
  large_image: (_: UploadKind, { imageBytes }: UploadLimits) =>
    `An image may have ${megabytes(imageBytes)} at most, and this has more: make it smaller, or pack it in a zip.`,
  no_image: (kind: UploadKind) =>
    `${nouns[kind]} is a PNG, JPEG, WebP, GIF or AVIF file, and this is none, whatever its name says: save it as one of them.`,
  svg: (kind: UploadKind) =>
    `${nouns[kind]} cannot be an SVG file, because those can hold scripts: save it as PNG, and upload that.`,
  damaged: () => "The image is damaged or cut off: save it again, or choose another.",
  pixels: () => "The image has more than 40 million pixels, which is the most: scale it down.",
  no_room: (_: UploadKind, { quotaBytes }: UploadLimits) =>
    `The files of this workspace may have ${megabytes(quotaBytes)} in all, and there is no room left for this one: delete files that are no longer needed, or ask whoever runs this installation for more.`,
  role: () => "The role of this member may do what yours may not: ask somebody whose role may.",
  gone: () => "The image is not there any more: upload it again.",
  cut_off: () => "The file did not arrive whole: upload it again.",
  too_often: () => "You have uploaded very many files within a minute: wait a minute, then go on.",
  busy: () => "Too many files are being uploaded at the moment: try again in a few seconds.",
  unavailable: () => "The file cannot be stored at the moment, and nothing is changed: try again in a few seconds.",
};

export function uploadRefusal(reason: string, kind: UploadKind, limits: UploadLimits): string | null {
  return Object.hasOwn(sentences, reason) ? sentences[reason as UploadReason](kind, limits) : null;
}

export class UploadError extends InvalidError {
  override name = "UploadError";

  constructor(
    readonly reason: UploadReason,
    message: string,
  ) {
    const code =
      reason === "empty" || reason === "missing" ? "required" : reason === "no_room" ? "not_allowed" : "invalid";
    super([{ field: "file", code, message }]);
  }
}
