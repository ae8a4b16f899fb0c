/** "1 article", "1,234 articles": the number in the language of the word. Dates alone are in the workspace's. */
export function ArticleCount({ count }: { count: number }) {
  return `${count.toLocaleString("en")} ${count === 1 ? "article" : "articles"}`;
}
