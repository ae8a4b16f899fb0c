export type UploadKind = "picture" | "logo" | "image" | "attachment";

export interface UploadLimits {
  imageBytes: number;
  attachmentBytes: number;
  quotaBytes: number;
}
