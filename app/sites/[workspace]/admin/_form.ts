import { notFound } from "next/navigation";
import { z } from "zod";
import type { FormState } from "@/components/ui/form";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { refusedWith } from "@/lib/http/form";

/** The query of a URL, as Next passes it to a page. */
export type Query = Record<string, string | string[] | undefined>;

/** Fields that nobody fills in. */
const HIDDEN = ["id", "revision"];

/**
 * The state of a refused form: the typed values without passwords and files, and the errors. Errors about other
 * fields stand above the form. Answers 404 if the noun found nothing, and throws other errors.
 */
export function refused(form: FormData, error: unknown): FormState {
  if (error instanceof NotFoundError) notFound();
  if (!(error instanceof InvalidError)) throw error;
  // An error without fields is shown above the form.
  const invalid = error.fields.length > 0 ? error.fields : [{ field: "", message: error.message }];
  return refusedWith(form, invalid, HIDDEN);
}

/** The same for errors that the form itself finds. */
export function refusedFor(form: FormData, field: string, message: string): FormState {
  return refused(form, new InvalidError([{ field, code: "invalid", message }]));
}

/** Answers 404 if a noun finds nothing. */
export async function found<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
}

/** The page number of a list, from the URL. The first page if the number is invalid. */
export function pageOf(value: string | string[] | undefined): number {
  return typeof value === "string" && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1;
}

/** The URL of a page with this query, without empty values. */
export function addressWith(path: string, params: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The same for one page of a list, without a number for the first page. */
export function pageAddress(path: string, params: Record<string, string | undefined>, page: number): string {
  return addressWith(path, { ...params, page: page > 1 ? page : undefined });
}

/** One value from a URL's query. Empty if it is missing or repeated. */
export function wordOf(value: string | string[] | undefined, longest = 100): string {
  return typeof value === "string" ? value.trim().slice(0, longest) : "";
}

/** An id from a URL, or null if it is malformed. */
export function idOf(value: string | string[] | undefined): string | null {
  return typeof value === "string" && z.guid().safeParse(value).success ? value : null;
}
