import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";

export const metadata: Metadata = { title: "Components", robots: { index: false } };

/** Every building block in its states, in development only. */
export default async function ComponentsPage() {
  await connection();
  // This form lets the build drop the code.
  if (process.env.NODE_ENV !== "production") {
    const { Gallery } = await import("./_gallery");
    return <Gallery />;
  }
  notFound();
}
