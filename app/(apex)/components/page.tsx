import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";

export const metadata: Metadata = { title: "Components", robots: { index: false } };

/** Every building block in its states, for whoever builds with them: not there in production, nor is its code. */
export default async function ComponentsPage() {
  await connection();
  // Written so that a build leaves it out.
  if (process.env.NODE_ENV !== "production") {
    const { Gallery } = await import("./_gallery");
    return <Gallery />;
  }
  notFound();
}
