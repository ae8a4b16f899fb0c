import { expect, test } from "vitest";
import { inWorkspace } from "@/lib/db";
import { openedResult } from "@/lib/reader/opened-result";
import { readAs } from "@/lib/visibility";
import { aCategory, anArticle, aWorkspace } from "@/testing/workspace";

test("an opened result is believed only when the search finds it for this reader", async () => {
  const workspace = await aWorkspace();
  const category = await aCategory(workspace);
  const closed = await aCategory(workspace);
  await inWorkspace(workspace.id, (db) =>
    db.category.updateMany({ where: { id: closed.id }, data: { visibility: "members" } }),
  );
  const refund = await anArticle(workspace, { category, title: "Refund", slug: "refund" });
  await anArticle(workspace, { category, title: "Invoices", slug: "invoices" });
  const secrets = await anArticle(workspace, { category: closed, title: "Refund secrets", slug: "secrets" });
  const opened = (reader: "anyone" | "member", url: string | false, text = "Réfund!") =>
    readAs(workspace, reader, (snapshot) => openedResult(snapshot, workspace.id, text, url));

  expect(await opened("anyone", "/articles/refund")).toEqual({ total: 1, articleId: refund.id });
  expect(await opened("anyone", "/articles/refund#how")).toEqual({ total: 1, articleId: refund.id });
  expect(await opened("member", "/articles/secrets")).toEqual({ total: 2, articleId: secrets.id });
  const others = [
    "/articles/secrets",
    "/articles/invoices",
    "/articles/none",
    "/categories/refund",
    "refund",
    "",
    false,
  ];
  for (const url of others as (string | false)[]) {
    expect(await opened("anyone", url)).toEqual({ total: 1, articleId: null });
  }
  expect(await opened("anyone", "/articles/refund", "?!")).toEqual({ total: 0, articleId: null });
});
