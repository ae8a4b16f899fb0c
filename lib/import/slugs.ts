import { slugify } from "@/lib/content/slug";

const LONGEST = 100;

export class SlugBook {
  private readonly taken = new Set<string>();
  /** Former slugs, which redirect and which nobody else may take. */
  private readonly former = new Map<string, string>();
  /** The number to try first, so that a thousand equal titles do not each count from 2. */
  private readonly next = new Map<string, number>();

  constructor(taken: Iterable<string>, former: Iterable<{ slug: string; id: string }>) {
    for (const slug of taken) this.taken.add(slug);
    for (const { slug, id } of former) this.former.set(slug, id);
  }

  /** Takes the slug, or the slug with the first free number from 2 on. `id` may take its own former slug again. */
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

/** Whether a slug is the wanted one, with or without a number. */
export function isFormOf(slug: string, wanted: string): boolean {
  const number = /-([2-9]|[1-9]\d+)$/.exec(slug)?.[1];
  return slug === wanted || (number !== undefined && slug === numbered(wanted, Number(number)));
}

/** An export's slug is used as it is. */
export function wantedSlug(requested: string | undefined, title: string, isExport = false): string {
  if (isExport && requested !== undefined && /^[a-z0-9-]{1,100}$/.test(requested)) return requested;
  return slugify(requested ?? title);
}

function numbered(slug: string, number: number): string {
  const suffix = `-${number}`;
  return slug.slice(0, LONGEST - suffix.length).replace(/-+$/, "") + suffix;
}
