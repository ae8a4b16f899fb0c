import { notFound } from "next/navigation";
import { requireMember } from "@/lib/session";

/** Any other URL stays in the admin UI. */
export default async function MissingPage() {
  await requireMember();
  notFound();
}
