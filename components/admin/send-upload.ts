import type { UploadKind } from "@/lib/uploads/kinds";
import type { Upload } from "@/lib/uploads/uploads";

/** The purpose of an upload. `memberId` is the member whose picture it becomes. */
export interface UploadPlace {
  as: UploadKind;
  memberId?: string;
}

/** `next` is the page to open after uploading a picture or a logo. */
export type Sent = Upload & { next?: string };

/** The upload URL, also for forms without scripts. */
export function uploadAddress({ as, memberId }: UploadPlace, name?: string): string {
  return `/api/uploads?${new URLSearchParams({ as, ...(memberId && { member: memberId }), ...(name && { name }) })}`;
}

/**
 * Uploads a file.
 * @param options.progress receives the share sent, from 0 to 1
 * @param options.signal aborts the upload
 * @throws Error with a sentence for the user
 */
export function sendUpload(
  file: File,
  place: UploadPlace,
  { progress, signal }: { progress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Sent> {
  return new Promise((resolve, reject) => {
    // fetch cannot report upload progress.
    const request = new XMLHttpRequest();
    request.open("POST", uploadAddress(place, file.name.slice(-500)));
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.upload.onprogress = ({ loaded, total }) => progress?.(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const said = request.response as (Sent & { error?: string }) | null;
      if (request.status === 201 && said) return resolve(said);
      reject(new Error(said?.error ?? "Upload failed. Try again."));
    };
    request.onerror = () => reject(new Error("Can't reach the server. Try again."));
    request.onabort = () => reject(new Error("Upload canceled."));
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
  });
}
