import type { Metadata } from "next";
import type { Search } from "../_frame";
import { ReferencePage } from "../_reference";

export const metadata: Metadata = { title: "API v2", description: "Every endpoint of v2 of the API." };

export default async function V2Page({
  params,
  searchParams,
}: {
  params: Promise<{ workspace: string }>;
  searchParams: Search;
}) {
  return <ReferencePage subdomain={(await params).workspace} version="v2" search={searchParams} />;
}
