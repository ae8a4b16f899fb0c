import type { ComponentProps, ReactNode } from "react";
import { ButtonLink } from "@/components/ui/button-link";
import { Empty } from "@/components/ui/empty";
import { Pager } from "@/components/ui/pager";
import { AdminPage } from "./page";

/** Replaces the list when it has no rows. */
interface Absence {
  title: string;
  text: ReactNode;
}

/**
 * A page with a paged list.
 * @param action the primary action, moved from the head to the empty state when the list is empty
 * @param filter hidden while there is nothing to filter
 * @param list `shown` is the number of rows on this page
 * @param empty shown when there are no entries, if that can happen
 * @param unmatched shown when the filter matches nothing, with a link to the whole list
 * @param above content before the list and its filter
 * @param below content after the list
 * @param children the table
 */
export function ListPage({
  filter,
  isFiltered = false,
  list: { shown, ...pager },
  empty,
  unmatched,
  above,
  below,
  children,
  ...page
}: Omit<ComponentProps<typeof AdminPage>, "children"> & {
  filter?: ReactNode;
  isFiltered?: boolean;
  list: ComponentProps<typeof Pager> & { shown: number };
  empty?: Absence;
  unmatched?: Absence & { all?: { href: string; name: string } };
  above?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
}) {
  const isEmpty = empty !== undefined && pager.total === 0 && !isFiltered && pager.page === 1;
  return (
    <AdminPage {...page} action={!isEmpty && page.action}>
      {above}
      {!isEmpty && filter}
      {isEmpty ? (
        <Empty title={empty.title} action={page.action}>
          {empty.text}
        </Empty>
      ) : shown === 0 && unmatched ? (
        <Empty
          title={isFiltered ? unmatched.title : "This page of the list is empty"}
          action={
            unmatched.all && (
              <ButtonLink href={unmatched.all.href} look="plain">
                {unmatched.all.name}
              </ButtonLink>
            )
          }
        >
          {isFiltered && unmatched.text}
        </Empty>
      ) : (
        children
      )}
      <Pager {...pager} />
      {below}
    </AdminPage>
  );
}
