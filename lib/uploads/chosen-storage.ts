import { env } from "@/lib/env";
import { localStorage } from "@/lib/uploads/local";
import { s3Storage } from "@/lib/uploads/s3";
import type { UploadStorage } from "@/lib/uploads/storage";

let current: UploadStorage | undefined;

export function uploadStorage(): UploadStorage {
  const { s3, dataDir } = env();
  current ??= s3 ? s3Storage(s3) : localStorage(dataDir);
  return current;
}
