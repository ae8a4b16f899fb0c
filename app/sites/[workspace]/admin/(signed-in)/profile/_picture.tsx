import type { Told } from "@/components/admin/page";
import { UploadForm } from "@/components/admin/upload-form";
import { Button } from "@/components/ui/button";
import { Portrait } from "@/components/ui/portrait";
import { sizeOf } from "@/components/ui/size";
import { picturePath } from "@/lib/avatars";
import { env } from "@/lib/env";
import { uploadRefusal } from "@/lib/uploads/refusals";
import { idOf } from "../../_form";
import { submitPicture } from "./actions";

type Asked = string | string[] | undefined;

/** A member's picture: as it is, another one, or none. */
export function PictureSection({
  member,
  refused,
  isOneself = false,
}: {
  member: { id: string; firstName: string; lastName: string; pictureUploadId: string | null };
  /** The word by which the form's address says why an upload was refused. */
  refused: Asked;
  isOneself?: boolean;
}) {
  const limits = env().uploads;
  const { pictureUploadId } = member;
  const of = isOneself ? undefined : member.id;
  return (
    <section aria-labelledby="picture" className="mb-8 max-w-[28rem] border-b border-border pb-8">
      <h2 id="picture" className="text-base">
        Picture
      </h2>
      <div className="mt-3 mb-5 flex items-center gap-4">
        <Portrait path={picturePath(member)} large />
        <div className="min-w-0">
          <p className="text-text-muted">
            {pictureUploadId
              ? `Readers see it beside ${isOneself ? "your" : "their"} articles.`
              : `Drawn from ${isOneself ? "your" : "the"} initials, as long as there is no other.`}
          </p>
          {pictureUploadId && (
            <form action={submitPicture} className="mt-2">
              {of && <input type="hidden" name="of" value={of} />}
              <Button type="submit" look="plain" size="small">
                Remove picture
              </Button>
            </form>
          )}
        </div>
      </div>
      <UploadForm
        place={{ as: "picture", of }}
        label="New picture"
        hint={`PNG, JPEG, WebP, GIF or AVIF, up to ${sizeOf(limits.imageBytes)}. The middle of it is cut to a square.`}
        submit="Upload picture"
        mostBytes={{ bytes: limits.imageBytes, refusal: uploadRefusal("large", "picture", limits) ?? "" }}
        refused={uploadRefusal(String(refused), "picture", limits) ?? undefined}
      />
    </section>
  );
}

/**
 * What has just been done to a picture, and how it is taken back.
 * @param asked the address's query
 * @param at the page, and whose it is when it is not one's own
 */
export function pictureTold(
  { done, was }: Record<string, Asked>,
  { page, of }: { page: string; of?: string },
): Told | undefined {
  if (done === "restored") return { text: "The picture is back.", close: page };
  if (done !== "picture" && done !== "removed") return undefined;
  const before = idOf(was);
  const text = done === "picture" ? "The picture is uploaded, and shown from now on." : "The picture is removed.";
  const undo = (
    <form action={submitPicture}>
      {of && <input type="hidden" name="of" value={of} />}
      {before && <input type="hidden" name="upload" value={before} />}
      <Button type="submit" look="plain" size="small">
        Undo
      </Button>
    </form>
  );
  return { text, close: page, undo: before || done === "picture" ? undo : undefined };
}
