import type { ReactNode } from "react";

export function Notice({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto max-w-[36rem] px-5 py-16 md:py-28">
      <h1 className="text-xl md:text-2xl">{title}</h1>
      <div className="mt-4 grid gap-4">{children}</div>
    </main>
  );
}
