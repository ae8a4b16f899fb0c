import type { ComponentProps, ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button";
import { Empty } from "@/components/ui/empty";
import { Pager } from "@/components/ui/pager";
import { AdminPage } from "./page";

/** Stands in place of the list. */
interface Absence {
  title: string;
  text: ReactNode;
}

/**
 * A page with a list of things, one page of it at a time.
 * @param action the primary action; the empty state offers it instead of the head
 * @param filter left out while there is nothing to filter
 * @param list `shown` is how many rows this page of the list has
 * @param empty while there is nothing at all, where that can be
 * @param unmatched while the filter leaves nothing, with a link to everything
 * @param below what follows the list
 * @param children the table
 */
export function ListPage({
  filter,
  isFiltered = false,
  list: { shown, ...pager },
  empty,
  unmatched,
  below,
  children,
  ...page
}: Omit<ComponentProps<typeof AdminPage>, "children"> & {
  filter?: ReactNode;
  isFiltered?: boolean;
  list: ComponentProps<typeof Pager> & { shown: number };
  empty?: Absence;
  unmatched?: Absence & { all?: { href: string; name: string } };
  below?: ReactNode;
  children: ReactNode;
}) {
  const isEmpty = empty !== undefined && pager.total === 0 && !isFiltered && pager.page === 1;
  return (
    <AdminPage {...page} action={!isEmpty && page.action}>
      {!isEmpty && filter}
      {isEmpty ? (
        <Empty title={empty.title} action={page.action}>
          {empty.text}
        </Empty>
      ) : shown === 0 && unmatched ? (
        <Empty
          title={unmatched.title}
          action={
            unmatched.all && (
              <ButtonLink href={unmatched.all.href} look="plain">
                {unmatched.all.name}
              </ButtonLink>
            )
          }
        >
          {unmatched.text}
        </Empty>
      ) : (
        children
      )}
      <Pager {...pager} />
      {below}
    </AdminPage>
  );
}
