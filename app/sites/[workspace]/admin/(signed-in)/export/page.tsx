import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Underway } from "@/components/admin/underway";
import { Form } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { sizeOf } from "@/components/ui/size";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { EXPORTS_KEPT, findRun, listRuns, MOST_RUNS, RUN_DAYS } from "@/lib/import-export/runs";
import { exportPermissions } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import type { Query } from "../../_form";
import { doingOf, Lines, Older, RunState } from "../_import-export";
import { submitCancelExport, submitExport } from "./actions";

export const metadata: Metadata = { title: "Export" };

export default async function ExportPage({ searchParams }: { searchParams: Promise<Query> }) {
  const {
    workspace,
    member: { timeZone },
  } = await requireMember(exportPermissions);
  const { run, page } = await searchParams;
  const { exports, shown } = await readWorkspace(workspace.id, async (read) => {
    const exports = await listRuns(read, "export");
    const shownId = typeof run === "string" ? run : exports.find(({ state }) => state === "done")?.id;
    return { exports, shown: shownId === undefined ? null : await findRun(read, "export", shownId) };
  });
  const current = exports.find(({ state }) => state === "running");
  const now = new Date();
  return (
    <AdminPage
      title="Export"
      about="A zip of Markdown with all articles, drafts, categories, snippets, files, redirects, and synonyms."
    >
      <p className="mb-6 max-w-[40rem] text-text-muted">
        The zip contains authors' names and emails. It doesn't contain other member data, roles, settings, the logo, API
        keys, webhooks, pinned results, earlier versions, the trash, insights, or the audit log.
      </p>
      {current ? (
        <Underway doing={doingOf(current)} done={current.done} total={current.total} here="/admin/export">
          <Form action={submitCancelExport} submit="Cancel" busy="Canceling…" look="plain" size="small">
            <input type="hidden" name="id" value={current.id} />
          </Form>
        </Underway>
      ) : (
        <Form action={submitExport} submit="Create export" busy="Starting…" />
      )}
      {shown?.report && (
        <Lines
          title="Not exported"
          report={shown.report}
          page={Number(page)}
          address={`/admin/export?run=${shown.id}`}
        />
      )}
      {exports.length > 0 && (
        <section className="mt-10">
          <h2 className="text-base">Exports of the last {RUN_DAYS} days</h2>
          <p className="mt-1 text-text-muted">You can download only the latest {EXPORTS_KEPT} exports.</p>
          <div className="mt-3">
            <Table
              label="Exports"
              columns={["Created", "Created by", "Status", "Size", ""]}
              rows={exports.slice(0, MOST_RUNS).map((one) => ({
                key: one.id,
                cells: [
                  <Moment key="at" at={one.createdAt} now={now} timeZone={timeZone} />,
                  one.createdByName,
                  <span key="state">
                    <RunState state={one.state} />
                    {one.problem && <span className="block text-text-muted">{one.problem}</span>}
                    {one.report && one.report.problems > 0 && (
                      <a href={`/admin/export?run=${one.id}#report`} className="block">
                        {one.report.problems.toLocaleString("en")} not exported
                      </a>
                    )}
                  </span>,
                  one.byteSize > 0
                    ? sizeOf(one.byteSize)
                    : one.state === "running"
                      ? "–"
                      : one.state === "done"
                        ? "Expired"
                        : "–",
                  // The link downloads a file, so it must not navigate like a page.
                  one.state === "done" && one.byteSize > 0 ? (
                    <a key="get" href={`/admin/export/${one.id}`} download={one.filename}>
                      Download
                      <span className="sr-only"> {one.filename}</span>
                    </a>
                  ) : (
                    ""
                  ),
                ],
              }))}
            />
          </div>
          <Older runs={exports} />
        </section>
      )}
    </AdminPage>
  );
}
