import type { ReactNode } from "react";
import { Button } from "./button";
import { FoldMark } from "./fold";

/**
 * What narrows a list. Its fields stand in the address, so that what is shown can be kept, sent on and gone back to.
 * @param action the address of the list
 * @param columns of the grid that its fields and its button stand in
 * @param more fields that are folded on a phone, where they would fill the screen
 * @param isOpen whether they are unfolded: when one of them narrows the list
 */
export function Filter({
  action,
  columns,
  more,
  isOpen = false,
  children,
}: {
  action: string;
  columns: string;
  more?: ReactNode;
  isOpen?: boolean;
  children: ReactNode;
}) {
  return (
    <form action={action} role="search" className={`mb-5 grid items-end gap-3 ${columns}`}>
      {children}
      {more && (
        <details
          open={isOpen}
          className="details-content:grid details-content:gap-3 supports-[selector(::details-content)]:md:contents supports-[selector(::details-content)]:md:details-content:contents supports-[selector(::details-content)]:md:details-content:[content-visibility:visible]"
        >
          <summary className="flex h-11 items-start gap-2.5 py-2.5 supports-[selector(::details-content)]:md:hidden">
            <FoldMark /> More to filter by
          </summary>
          {more}
        </details>
      )}
      <Button type="submit" look="plain">
        Filter
      </Button>
    </form>
  );
}
