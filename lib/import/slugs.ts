import { slugify } from "@/lib/content/slug";

const LONGEST = 100;

/** The addresses of one kind in a workspace, and who may have which. */
export class SlugBook {
  private readonly taken = new Set<string>();
  /** Former addresses that still lead to what once had them: nobody else may take them. */
  private readonly former = new Map<string, string>();
  /** The number to try first: a thousand files of one title are no reason to count from 2 a thousand times. */
  private readonly next = new Map<string, number>();

  constructor(taken: Iterable<string>, former: Iterable<{ slug: string; id: string }>) {
    for (const slug of taken) this.taken.add(slug);
    for (const { slug, id } of former) this.former.set(slug, id);
  }

  /**
   * The slug that is wanted, or it with the first free number from 2 on. It is taken from then on.
   * @param id who wants it; may have its own former slug again
   */
  take(wanted: string, id: string): string {
    let slug = wanted;
    let number = this.next.get(wanted) ?? 2;
    while (!this.isFree(slug, id)) slug = numbered(wanted, number++);
    if (slug !== wanted) this.next.set(wanted, number);
    this.taken.add(slug);
    return slug;
  }

  private isFree(slug: string, id: string): boolean {
    return !this.taken.has(slug) && (this.former.get(slug) ?? id) === id;
  }
}

/** Whether a slug is the one that is wanted, or that with a number because it was taken. */
export function isFormOf(slug: string, wanted: string): boolean {
  const number = /-([2-9]|[1-9]\d+)$/.exec(slug)?.[1];
  return slug === wanted || (number !== undefined && slug === numbered(wanted, Number(number)));
}

/** The slug that a file asks for: its own word, or its title. One that an export had is one, whatever its form. */
export function wantedSlug(given: string | undefined, title: string, isExport = false): string {
  if (isExport && given !== undefined && /^[a-z0-9-]{1,100}$/.test(given)) return given;
  return slugify(given ?? title);
}

function numbered(slug: string, number: number): string {
  const suffix = `-${number}`;
  return slug.slice(0, LONGEST - suffix.length).replace(/-+$/, "") + suffix;
}
