import type { Metadata } from "next";
import { AdminPage } from "@/components/admin/page";
import { Underway } from "@/components/admin/underway";
import { Button } from "@/components/ui/button";
import { Form, FormCheck } from "@/components/ui/form";
import { Moment } from "@/components/ui/moment";
import { Refusal } from "@/components/ui/refusal";
import { sizeOf } from "@/components/ui/size";
import { Table } from "@/components/ui/table";
import { readWorkspace } from "@/lib/db";
import { env } from "@/lib/env";
import { findRun, listRuns, MOST_RUNS, RUN_DAYS, type RunReport } from "@/lib/import-export/runs";
import { importPermissions } from "@/lib/members/roles";
import { requireMember } from "@/lib/session";
import type { Query } from "../../_form";
import { doingOf, Lines, Older, RunState } from "../_import-export";
import { submitCancelImport, submitImport } from "./actions";

export const metadata: Metadata = { title: "Import" };

/** Why a file was refused, by code. The page never shows text from the URL. */
const refusals: Record<string, string> = {
  required: "Choose a zip file to import.",
  invalid: "Not a zip file. Choose a .zip file.",
  too_long: "The file is too large. Split it, or use the command line.",
  taken: "Another import is running. Wait for it to finish, or cancel it.",
  not_allowed: "Upload interrupted. Try again.",
  busy: "Too many uploads right now. Try again in a few seconds.",
  too_often: "Too many uploads. Try again in a minute.",
  full: "The server's disk is full. Ask the operator to free some space.",
};

export default async function ImportPage({ searchParams }: { searchParams: Promise<Query> }) {
  const {
    workspace,
    member: { timeZone },
  } = await requireMember(importPermissions);
  const { refused, run, page } = await searchParams;
  const { imports, current } = await readWorkspace(workspace.id, async (read) => {
    const imports = await listRuns(read, "import");
    const underWay = imports.find(({ state }) => ["checking", "ready", "running"].includes(state));
    const shownId = underWay?.id ?? (typeof run === "string" ? run : imports[0]?.id);
    return { imports, current: shownId === undefined ? null : await findRun(read, "import", shownId) };
  });
  const now = new Date();
  const why = typeof refused === "string" ? refusals[refused] : undefined;
  const isBusy = current?.state === "checking" || current?.state === "running";
  return (
    <AdminPage
      title="Import"
      about="Upload a zip of Markdown or HTML files. You can review the changes before anything is imported."
    >
      {why && (
        <div className="mb-5 max-w-[28rem]">
          <Refusal>{why}</Refusal>
        </div>
      )}
      {isBusy && (
        <div className="grid gap-3">
          <p className="break-words">{current.filename}</p>
          <Underway doing={doingOf(current)} done={current.done} total={current.total} here="/admin/import">
            <Cancel id={current.id} label="Cancel" size="small" />
          </Underway>
        </div>
      )}
      {current?.state === "ready" && (
        <section className="grid gap-4">
          <h2 className="text-base break-words">Review {current.filename}</h2>
          {current.report && <Counts report={current.report} would />}
          <div className="flex flex-wrap items-start gap-3">
            <Form action={submitImport} submit="Import" busy="Starting…">
              <input type="hidden" name="id" value={current.id} />
              {current.report && !current.report.isExport && (
                <FormCheck name="asDrafts" label="Import new articles as drafts" />
              )}
            </Form>{" "}
            <Cancel id={current.id} label="Discard" />
          </div>
        </section>
      )}
      {!isBusy && current?.state !== "ready" && <UploadForm />}
      {current && ["done", "failed", "cancelled"].includes(current.state) && (
        <section className="mt-10 grid gap-3">
          <h2 className="text-base break-words">
            {current.filename}: <RunState state={current.state} />
          </h2>
          {current.problem && <p className="max-w-[40rem] break-words">{current.problem}</p>}
          {current.report && <Counts report={current.report} />}
        </section>
      )}
      {current?.report && (
        <Lines title="Warnings" report={current.report} page={Number(page)} address={`/admin/import?run=${current.id}`}>
          <a href={`/admin/import/${current.id}/report`} download>
            Download all {(current.report.lines.length + current.report.more).toLocaleString("en")}
          </a>
        </Lines>
      )}
      {imports.length > 1 && (
        <section className="mt-10">
          <h2 className="text-base">Imports of the last {RUN_DAYS} days</h2>
          <div className="mt-3">
            <Table
              label="Imports"
              columns={["File", "Started", "Started by", "Status"]}
              rows={imports.slice(0, MOST_RUNS).map((one) => ({
                key: one.id,
                cells: [
                  <a key="name" href={`/admin/import?run=${one.id}`} className="break-words">
                    {one.filename}
                  </a>,
                  <Moment key="at" at={one.createdAt} now={now} timeZone={timeZone} />,
                  one.createdByName,
                  <RunState key="state" state={one.state} />,
                ],
              }))}
            />
          </div>
          <Older runs={imports} />
        </section>
      )}
    </AdminPage>
  );
}

/** Not a server action: the file may be larger than memory, so a route streams it. */
function UploadForm() {
  return (
    <form
      method="post"
      action="/api/imports"
      encType="multipart/form-data"
      className="grid max-w-[28rem] gap-5 text-sm"
    >
      <label className="grid gap-1.5">
        <span className="font-medium">Zip file</span>
        <span className="text-text-muted">
          Up to {sizeOf(env().importBytes)}. Use the command line for larger files.
        </span>
        <input
          type="file"
          name="file"
          accept=".zip,application/zip"
          required
          className="w-full min-w-0 rounded-sm border border-border-field bg-surface-raised p-1.5 text-sm file:mr-3 file:h-8 file:cursor-pointer file:rounded-sm file:border file:border-border-field file:bg-surface file:px-2.5 file:font-medium file:text-text"
        />
      </label>
      <div>
        <Button type="submit">Upload</Button>
      </div>
    </form>
  );
}

function Cancel({ id, label, size }: { id: string; label: string; size?: "small" }) {
  return (
    <Form action={submitCancelImport} submit={label} busy="Canceling…" look="plain" size={size}>
      <input type="hidden" name="id" value={id} />
    </Form>
  );
}

function Counts({ report, would = false }: { report: RunReport; would?: boolean }) {
  const { created, updated, unchanged, drafts, categories, uploads, problems, absent } = report;
  const counts: [string, number][] = [
    ["New articles", created],
    ["Changed articles", updated],
    ["Unchanged articles", unchanged],
    ["Drafts (included above)", drafts],
    ["Imported earlier, not in this file (unchanged)", absent],
    ["New categories", categories],
    ["Images and files", uploads],
    [would ? "Files that can't be imported" : "Files not imported", problems],
  ];
  return (
    <dl className="grid max-w-[28rem] grid-cols-[1fr_auto] gap-x-6 gap-y-1">
      {counts.map(([name, count]) => (
        <div key={name} className="contents">
          <dt className="text-text-muted">{name}</dt>
          <dd className="text-right tabular-nums">{count.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}
