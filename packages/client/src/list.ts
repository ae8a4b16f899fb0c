import type { CallOptions, Connection, ReadOptions, Tagged } from "./connection.js";
import type { Pagination } from "./types.js";

/** Contract 11. */
export const MAX_PAGE_SIZE = 100;

/** A list with pages. */
export class List<Page extends { pagination: Pagination }, Item, Params extends { page_number?: number | undefined }> {
  protected readonly connection: Connection;
  readonly #path: string;
  readonly #itemsOf: (page: Page) => Item[];

  constructor(connection: Connection, path: string, itemsOf: (page: Page) => Item[]) {
    this.connection = connection;
    this.#path = path;
    this.#itemsOf = itemsOf;
  }

  /** One page, by default the first. With `ifNoneMatch`, null when nothing has changed since. */
  async list(params: Params | undefined, options: ReadOptions): Promise<Tagged<Page> | null>;
  async list(params?: Params, options?: CallOptions): Promise<Tagged<Page>>;
  async list(params: object = {}, options?: CallOptions): Promise<Tagged<Page> | null> {
    return this.connection.get<Page>(this.#path, params, options);
  }

  /** Every item on all pages. Requests each page when it is reached, by default with the maximum page size. */
  async *all(params?: Omit<Params, "page_number">, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    for (let number = 1; ; number++) {
      const query = { page_size: MAX_PAGE_SIZE, ...params, page_number: number };
      const page = await this.list(query as unknown as Params, { signal: options?.signal });
      yield* this.#itemsOf(page);
      if (number >= page.pagination.total_pages) return;
    }
  }
}
