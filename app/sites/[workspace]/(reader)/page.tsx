import { SiteFooter } from "@/components/reader/site-footer";
import { Monogram } from "@/components/ui/monogram";
import { listRootCategories } from "@/lib/categories";
import { readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { workspaceUrl } from "@/lib/host";
import { publicWorkspace } from "@/lib/site";

export default async function StartPage({ params }: { params: Promise<{ workspace: string }> }) {
  const workspace = await publicWorkspace((await params).workspace);
  const { categories } = await readWorkspace(workspace.id, (read) =>
    listRootCategories(read, { limit: 1000, offset: 0 }, false),
  );
  const published = categories.reduce((sum, category) => sum + category.totalArticlesCount, 0);
  return (
    <div className="mx-auto flex min-h-dvh max-w-[44rem] flex-col px-5">
      <main className="flex-1 py-16 md:py-24">
        <Monogram name={workspace.name} />
        <h1 className="mt-6 text-2xl break-words">{workspace.name}</h1>
        <p className="mt-3 text-text-muted">
          {published > 0 ? `${articles(published)} to read, by category.` : "Nothing is published here yet."}
        </p>
        {categories.length > 0 && (
          <ul className="mt-10 border-t border-border">
            {categories.map(({ id, name, description, totalArticlesCount }) => (
              <li key={id} className="flex items-baseline justify-between gap-6 border-b border-border py-4">
                <div className="min-w-0">
                  <h2 className="text-base font-semibold break-words">{name}</h2>
                  {description && <p className="text-sm text-text-muted">{description}</p>}
                </div>
                <span className="shrink-0 text-sm text-text-muted tabular-nums">{articles(totalArticlesCount)}</span>
              </li>
            ))}
          </ul>
        )}
      </main>
      <SiteFooter>
        <p className="min-w-0">
          API: <code className="wrap-anywhere">{workspaceUrl(workspace.subdomain, env().baseUrl)}/api/external/v2</code>
        </p>
      </SiteFooter>
    </div>
  );
}

function articles(count: number): string {
  return `${count.toLocaleString("en")} ${count === 1 ? "article" : "articles"}`;
}
