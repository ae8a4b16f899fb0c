import { notFound } from "next/navigation";
import { csvAnswer } from "@/lib/csv";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { publicWorkspace } from "@/lib/site";
import { askedBy } from "../../_asked";
import { listNamed } from "../../_lists";

/** The most rows of a file. */
const MOST = 10_000;

/** A list of insights as a file for spreadsheets. */
export async function GET(request: Request, context: { params: Promise<{ workspace: string; list: string }> }) {
  const { workspace: subdomain, list: name } = await context.params;
  const workspace = await publicWorkspace(subdomain);
  const member = await requireMember(workspace.subdomain, "insights.read");
  const list = listNamed(name) ?? notFound();
  const asked = askedBy(workspace, member, new URL(request.url).searchParams.get("period") ?? undefined);
  const { rows } = await readWorkspace(workspace.id, (read) => list.load(read, asked, { limit: MOST, offset: 0 }));
  const columns = list.columns.filter(Boolean);
  return csvAnswer(columns, inOnePiece(rows.map(({ values }) => values)), `${name}-${asked.period}`);
}

async function* inOnePiece<Rows>(rows: Rows): AsyncGenerator<Rows> {
  yield rows;
}
