/** What something is uploaded as: a member's picture, the logo, an image in a text, or a file to save. */
export type UploadKind = "picture" | "logo" | "image" | "attachment";

/** The most bytes of an image, of anything else, and of all files of a workspace. */
export interface UploadLimits {
  imageBytes: number;
  attachmentBytes: number;
  quotaBytes: number;
}
