import { Badge } from "@/components/ui/badge";

/** What readers see of an article, and when that changes. */
export function ArticleStatus({
  article: { state, hasChanges, publishAt, publishHeld },
}: {
  article: { state: string; hasChanges: boolean; publishAt: Date | null; publishHeld: boolean };
}) {
  return (
    <span className="flex gap-1">
      {state === "draft" ? (
        <Badge tone="quiet">Draft</Badge>
      ) : hasChanges ? (
        <Badge tone="info">Unpublished changes</Badge>
      ) : (
        <Badge tone="good">Published</Badge>
      )}
      {publishAt && (publishHeld ? <Badge tone="caution">On hold</Badge> : <Badge tone="info">Scheduled</Badge>)}
    </span>
  );
}
