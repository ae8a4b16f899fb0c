import { notFound } from "next/navigation";
import { csvAnswer } from "@/lib/csv";
import { readWorkspace } from "@/lib/db";
import { requireMember } from "@/lib/session";
import { listNamed } from "../../_lists";
import { insightRequest } from "../../_request";

/** The most rows of a file. */
const MOST = 10_000;

/** A list of insights as CSV. */
export async function GET(request: Request, context: { params: Promise<{ list: string }> }) {
  const { list: name } = await context.params;
  const { workspace, member } = await requireMember("insights.read");
  const list = listNamed(name) ?? notFound();
  const input = insightRequest(workspace, member, new URL(request.url).searchParams.get("period") ?? undefined);
  const { rows } = await readWorkspace(workspace.id, (read) => list.load(read, input, { limit: MOST, offset: 0 }));
  const columns = list.columns.filter(Boolean);
  return csvAnswer(columns, inOnePiece(rows.map(({ values }) => values)), `${name}-${input.period}`);
}

async function* inOnePiece<Rows>(rows: Rows): AsyncGenerator<Rows> {
  yield rows;
}
