"use client";

import { type SubmitEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Refusal } from "@/components/ui/refusal";
import { sendUpload, type UploadPlace, uploadAddress } from "./send-upload";

/** The choices that browsers offer; the server detects the type itself. */
const IMAGES = "image/png,image/jpeg,image/webp,image/gif,image/avif";

/**
 * Chooses an image and uploads it: a plain form, which a script keeps on the page, with what was chosen and how much of
 * it has been sent.
 * @param label of the field
 * @param submit what the button says
 * @param mostBytes refused before it is sent
 * @param refused why the form was refused that was sent without scripts
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
      // As a form would: what is around the page shows the image too.
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
        // eslint-disable-next-line @next/next/no-img-element -- it is on this computer alone
        <img
          src={chosen}
          alt="What you chose"
          onError={() => setChosen(null)}
          className="h-20 max-w-full justify-self-start rounded-sm border border-border object-contain"
        />
      )}
      <div>
        <Button type="submit" look="plain" aria-disabled={share !== null}>
          {share === null ? submit : share < 1 ? `Uploading … ${Math.round(share * 100)} %` : "Checking the image …"}
        </Button>
      </div>
      {share !== null && <progress aria-label="Sent" value={share} className="h-1.5 w-full accent-accent" />}
    </form>
  );
}
