import { notFound } from "next/navigation";
import { z } from "zod";
import type { FormState } from "@/components/ui/form";
import { InvalidError, NotFoundError } from "@/lib/errors";
import { refusedWith } from "@/lib/form";

/** What forms send that nobody has filled in. */
const HIDDEN = ["id", "revision"];

/**
 * What a form shows after a noun refused it: what was typed, but for passwords and files, and why not. What is about none
 * of the fields that somebody filled in stands above them all; who asked for what is not there gets a 404, and other errors
 * are thrown on.
 */
export function refused(form: FormData, error: unknown): FormState {
  if (error instanceof NotFoundError) notFound();
  if (!(error instanceof InvalidError)) throw error;
  // What is about no field at all says its sentence.
  const invalid = error.fields.length > 0 ? error.fields : [{ field: "", message: error.message }];
  return refusedWith(form, invalid, HIDDEN);
}

/** The same for what the form itself finds wrong. */
export function refusedFor(form: FormData, field: string, message: string): FormState {
  return refused(form, new InvalidError([{ field, code: "invalid", message }]));
}

/** Of what a noun does: who asked for what is not there gets a 404. */
export async function found<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof NotFoundError) notFound();
    throw error;
  }
}

/** Which page of a list an address asks for: the first when it says nothing of use. */
export function pageOf(asked: string | string[] | undefined): number {
  return typeof asked === "string" && /^[1-9]\d{0,5}$/.test(asked) ? Number(asked) : 1;
}

/** Every time zone that can be chosen, by name, and the one that is. */
export function timeZones(chosen: string): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen])].sort();
}

/** The address of a page with what is asked of it; what is empty is left out. */
export function addressWith(path: string, asked: Record<string, string | number | null | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) if (value) query.set(name, String(value));
  return query.size > 0 ? `${path}?${query}` : path;
}

/** The same of one page of a list; the first needs no number. */
export function pageAddress(path: string, asked: Record<string, string | undefined>, page: number): string {
  return addressWith(path, { ...asked, page: page > 1 ? page : undefined });
}

/** A word of an address's query: empty when it is not there, or there more than once. */
export function wordOf(asked: string | string[] | undefined): string {
  return typeof asked === "string" ? asked.trim().slice(0, 100) : "";
}

/** An id in an address, or null for what is none. */
export function idOf(asked: string | string[] | undefined): string | null {
  return typeof asked === "string" && z.guid().safeParse(asked).success ? asked : null;
}
