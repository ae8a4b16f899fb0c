import type { CallOptions, Connection, ReadOptions, Tagged } from "./connection.js";
import type { Pagination } from "./types.js";

/** The most items that a page may have (contract 11). */
const LARGEST_PAGE = 100;

/** A list that comes in pages. */
export class List<Page extends { pagination: Pagination }, Item, Params extends { page_number?: number | undefined }> {
  protected readonly connection: Connection;
  readonly #path: string;
  readonly #itemsOf: (page: Page) => Item[];

  constructor(connection: Connection, path: string, itemsOf: (page: Page) => Item[]) {
    this.connection = connection;
    this.#path = path;
    this.#itemsOf = itemsOf;
  }

  /** One page, the first if none is named. With `ifNoneMatch`: null when it has not changed since. */
  async list(params: Params | undefined, options: ReadOptions): Promise<Tagged<Page> | null>;
  async list(params?: Params, options?: CallOptions): Promise<Tagged<Page>>;
  async list(params: object = {}, options?: CallOptions): Promise<Tagged<Page> | null> {
    return this.connection.get<Page>(this.#path, params, options);
  }

  /** Every item, page after page, each page being asked for when it is reached. The largest pages unless asked otherwise. */
  async *all(params?: Omit<Params, "page_number">, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    for (let number = 1; ; number++) {
      const asked = { page_size: LARGEST_PAGE, ...params, page_number: number };
      const page = await this.list(asked as unknown as Params, { signal: options?.signal });
      yield* this.#itemsOf(page);
      if (number >= page.pagination.total_pages) return;
    }
  }
}
