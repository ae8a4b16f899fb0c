import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Document } from "@/app/_html";

export const metadata: Metadata = { title: "Lectern" };

export default function ApexLayout({ children }: { children: ReactNode }) {
  return <Document lang="en">{children}</Document>;
}
