/** The classes of a link that is one of several views. */
export const tabLook =
  "flex h-11 items-center border-b-2 border-transparent px-2.5 whitespace-nowrap text-text-muted no-underline -outline-offset-2 hover:text-text aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-text md:h-9";
