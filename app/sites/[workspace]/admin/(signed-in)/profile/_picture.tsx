import { UploadForm } from "@/components/admin/upload-form";
import { Button } from "@/components/ui/button";
import { Portrait } from "@/components/ui/portrait";
import { Section } from "@/components/ui/section";
import { sizeOf } from "@/components/ui/size";
import { env } from "@/lib/env";
import { picturePath } from "@/lib/members/avatars";
import { uploadRefusal } from "@/lib/uploads/refusals";
import type { Query } from "../../_form";
import { submitPicture } from "./actions";

/** Shows, replaces and removes a member's picture. */
export function PictureSection({
  member,
  refused,
  isOneself = false,
}: {
  member: { id: string; firstName: string; lastName: string; pictureUploadId: string | null };
  /** Why an upload was refused, by the code in the page's URL. */
  refused: Query[string];
  isOneself?: boolean;
}) {
  const limits = env().uploads;
  const { pictureUploadId } = member;
  const memberId = isOneself ? undefined : member.id;
  return (
    <Section title="Picture">
      <div className="mb-5 flex items-center gap-4">
        <Portrait path={picturePath(member)} large />
        <div className="min-w-0">
          <p className="text-text-muted">
            {pictureUploadId ? `Shown next to ${isOneself ? "your" : "this member's"} articles.` : "No picture yet."}
          </p>
          {pictureUploadId && (
            <form action={submitPicture} className="mt-2">
              {memberId && <input type="hidden" name="member" value={memberId} />}
              <Button type="submit" look="plain" size="small">
                Remove picture
              </Button>
            </form>
          )}
        </div>
      </div>
      <UploadForm
        place={{ as: "picture", memberId }}
        label="New picture"
        hint={`PNG, JPEG, WebP, GIF, or AVIF, up to ${sizeOf(limits.imageBytes)}. Cropped to a square.`}
        submit="Upload picture"
        mostBytes={{ bytes: limits.imageBytes, refusal: uploadRefusal("large", "picture", limits) ?? "" }}
        refused={uploadRefusal(String(refused), "picture", limits) ?? undefined}
      />
    </Section>
  );
}
