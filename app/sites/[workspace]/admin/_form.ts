import { notFound } from "next/navigation";
import { z } from "zod";
import type { FormState } from "@/components/ui/form";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { refusedWith } from "@/lib/http/form";

/** The query of an address, as Next hands it to a page. */
export type Query = Record<string, string | string[] | undefined>;

/** Fields that nobody fills in. */
const HIDDEN = ["id", "revision"];

/**
 * The state of a form that a noun refused: the typed values without passwords and files, and the errors. Errors about other
 * fields stand above the form. Answers 404 if the noun found nothing, and throws other errors.
 */
export function refused(form: FormData, error: unknown): FormState {
  if (error instanceof NotFoundError) notFound();
  if (!(error instanceof InvalidError)) throw error;
  // An error without fields is shown above the form.
  const invalid = error.fields.length > 0 ? error.fields : [{ field: "", message: error.message }];
  return refusedWith(form, invalid, HIDDEN);
}

/** The same for what the form itself finds wrong. */
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

/** Which page of a list an address asks for: the first when it says nothing of use. */
export function pageOf(value: string | string[] | undefined): number {
  return typeof value === "string" && /^[1-9]\d{0,5}$/.test(value) ? Number(value) : 1;
}

/** Every time zone that can be chosen, by name, and the one that is. */
export function timeZones(chosen: string): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen])].sort();
}

/** The address of a page with what is asked of it; what is empty is left out. */
export function addressWith(path: string, params: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value) query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The same of one page of a list; the first needs no number. */
export function pageAddress(path: string, params: Record<string, string | undefined>, page: number): string {
  return addressWith(path, { ...params, page: page > 1 ? page : undefined });
}

/** A word of an address's query: empty when it is not there, or there more than once. */
export function wordOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value.trim().slice(0, 100) : "";
}

/** An id in an address, or null for what is none. */
export function idOf(value: string | string[] | undefined): string | null {
  return typeof value === "string" && z.guid().safeParse(value).success ? value : null;
}
