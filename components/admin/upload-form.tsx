"use client";

import { type SubmitEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { sendUpload, type UploadPlace, uploadAddress } from "./send-upload";

/** Types for the file dialog. The server detects the real type. */
const IMAGES = "image/png,image/jpeg,image/webp,image/gif,image/avif";

/**
 * Uploads an image. A plain form without scripts. With scripts, it stays on the page and shows the chosen image and the
 * progress.
 * @param label the field's label
 * @param submit the button's label
 * @param mostBytes larger files are refused before sending
 * @param refused why the server refused the form, without scripts
 */
export function UploadForm({
  place,
  label,
  hint,
  submit,
  mostBytes,
  refused,
}: {
  place: UploadPlace;
  label: string;
  hint: string;
  submit: string;
  mostBytes: { bytes: number; refusal: string };
  refused?: string;
}) {
  const id = useId();
  const [error, setError] = useState(refused);
  const [share, setShare] = useState<number | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);

  function look(file: File | undefined) {
    setError(undefined);
    setChosen(null);
    if (!file || file.size > mostBytes.bytes) return;
    const reader = new FileReader();
    reader.onload = () => setChosen(reader.result as string);
    reader.readAsDataURL(file);
  }

  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (share !== null) return;
    const file = new FormData(event.currentTarget).get("file");
    if (!(file instanceof File) || file.name === "") return setError("Choose a file first.");
    if (file.size > mostBytes.bytes) return setError(mostBytes.refusal);
    setError(undefined);
    setShare(0);
    try {
      const { next } = await sendUpload(file, place, { progress: setShare });
      // A full load, like a form's, because the frame also shows the image.
      if (next) location.assign(next);
    } catch (thrown) {
      setShare(null);
      setError((thrown as Error).message);
    }
  }

  return (
    <form
      action={uploadAddress(place)}
      method="post"
      encType="multipart/form-data"
      onSubmit={(event) => void send(event)}
      className="grid max-w-[28rem] gap-3 text-sm"
    >
      {error && <Refusal>{error}</Refusal>}
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <input
          id={id}
          type="file"
          name="file"
          accept={IMAGES}
          required
          aria-describedby={`${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={({ currentTarget }) => look(currentTarget.files?.[0])}
          className="w-full min-w-0 rounded-sm border border-border-field bg-surface-raised p-1.5 text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-sm file:border file:border-border-field file:bg-surface file:px-2.5 file:font-medium file:text-text aria-invalid:border-danger"
        />
        <p id={`${id}-hint`} className="text-text-muted">
          {hint}
        </p>
      </div>
      {chosen && (
        // eslint-disable-next-line @next/next/no-img-element -- the image is a local file
        <img
          src={chosen}
          alt="Selected file"
          onError={() => setChosen(null)}
          className="h-20 max-w-full justify-self-start rounded-sm border border-border object-contain"
        />
      )}
      <div>
        <Button type="submit" look="plain" aria-disabled={share !== null}>
          {share === null ? submit : share < 1 ? `Uploading… ${Math.round(share * 100)}%` : "Checking the image…"}
        </Button>
      </div>
      {share !== null && <progress aria-label="Sent" value={share} className="h-1.5 w-full accent-accent" />}
    </form>
  );
}
