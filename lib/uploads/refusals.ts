import { InvalidError } from "@/lib/errors";
import type { UploadKind, UploadLimits } from "@/lib/uploads/kinds";

export type UploadReason = keyof typeof sentences;

const nouns = { picture: "A picture", logo: "A logo", image: "An image", attachment: "A file" };
const megabytes = (bytes: number) => `${(bytes / 1_000_000).toLocaleString("en")} MB`;

const sentences = {
  missing: () => "No file was chosen. Choose one, then upload it.",
  empty: () => "The file is empty. Choose another one.",
  large: (kind: UploadKind, { imageBytes, attachmentBytes }: UploadLimits) => {
    const most = kind === "attachment" ? Math.max(imageBytes, attachmentBytes) : imageBytes;
    return `${nouns[kind]} can be up to ${megabytes(most)}. Choose a smaller one.`;
  },
  large_image: (_: UploadKind, { imageBytes }: UploadLimits) =>
    `An image can be up to ${megabytes(imageBytes)}. Make it smaller, or compress it as a zip.`,
  no_image: (kind: UploadKind) =>
    `${nouns[kind]} must be a PNG, JPEG, WebP, GIF, or AVIF file. Save this file as one of them.`,
  svg: (kind: UploadKind) => `${nouns[kind]} can't be an SVG file, because SVG can contain scripts. Save it as PNG.`,
  damaged: () => "The image is damaged. Save it again or choose another one.",
  pixels: () => "The image has more than 40 million pixels. Scale it down.",
  no_room: (_: UploadKind, { quotaBytes }: UploadLimits) =>
    `The workspace has used its ${megabytes(quotaBytes)} of storage. Remove attachments you no longer need, or ask your installation's operator for more.`,
  role: () => "This member has permissions that you don't have. Ask a member who has them.",
  gone: () => "The image no longer exists. Upload it again.",
  cut_off: () => "Upload interrupted. Try again.",
  too_often: () => "Too many uploads in a minute. Wait a minute, then try again.",
  busy: () => "Too many uploads are running. Try again in a few seconds.",
  unavailable: () => "Upload failed. Nothing was changed. Try again in a few seconds.",
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
