import { beforeEach, describe, expect, test } from "vitest";
import { paths } from "@/app/api/external/v2/_document/operations";
import { acrossWorkspaces, inWorkspace } from "@/lib/db";
import { createMember, type Member } from "@/lib/members/members";
import { aWorkspace, call, type TestWorkspace } from "@/testing/workspace";

const list = "/api/external/v2/team-members";

let workspace: TestWorkspace;
let editor: Member;

beforeEach(async () => {
  workspace = await aWorkspace();
  editor = await inWorkspace(workspace.id, (db) =>
    createMember(
      db,
      {
        email: "Eva.Editor@Example.com",
        firstName: "Eva",
        lastName: "Editor",
        role: "Editor",
        timeZone: "Europe/Berlin",
      },
      workspace.actor,
    ),
  );
});

const get = (query = "") => call(paths["/team-members"], workspace, list + query);
const patch = (body: object | string, id = editor.id, options: { headers?: Record<string, string> } = {}) =>
  call(paths["/team-members/{team_member_id}"], workspace, `${list}/${id}`, { method: "PATCH", body, ...options });
const eva = () => ({
  id: editor.id,
  email: "Eva.Editor@Example.com",
  first_name: "Eva",
  last_name: "Editor",
  time_zone: "Europe/Berlin",
  profile_image_url: null,
  active: true,
  organization_role: "Editor",
});

describe("the list of team members", () => {
  test("holds everybody in the order they joined", async () => {
    const { body } = await get();
    expect(body.team_members.map(({ id }: { id: string }) => id)).toEqual([workspace.admin.id, editor.id]);
    expect(body.team_members[1]).toEqual(eva());
    expect(body.pagination).toEqual({ total_records: 2, total_pages: 1, current_page_number: 1, page_size: 30 });
  });

  test("finds a member by the exact email, regardless of case", async () => {
    const found = await get("?email=EVA.EDITOR@example.COM");
    expect(found.body.team_members).toEqual([eva()]);
    const nobody = await get("?email=eva.editor");
    expect(nobody.body).toEqual({
      team_members: [],
      pagination: { total_records: 0, total_pages: 0, current_page_number: 1, page_size: 30 },
    });
  });

  test("pages, clamps a page size over 100, and answers a page past the end with true totals", async () => {
    const second = await get("?page_size=1&page_number=2");
    expect(second.body.team_members).toEqual([eva()]);
    expect(second.body.pagination).toEqual({ total_records: 2, total_pages: 2, current_page_number: 2, page_size: 1 });
    expect((await get("?page_size=1000")).body.pagination.page_size).toBe(100);
    const past = await get("?page_number=2147483647");
    expect(past.body).toEqual({
      team_members: [],
      pagination: { total_records: 2, total_pages: 1, current_page_number: 2147483647, page_size: 30 },
    });
  });

  test("refuses invalid page numbers and sizes with an entry each, and treats an empty one as absent", async () => {
    const { status, body } = await get("?page_number=0&page_size=ten");
    expect(status).toBe(422);
    expect(body.details).toEqual([
      { field: "page_number", code: "invalid", message: "page_number must be a whole number from 1 to 2147483647." },
      { field: "page_size", code: "invalid", message: "page_size must be a whole number of at least 1." },
    ]);
    for (const bad of ["-1", "1.5", "2147483648", "1e3", "%20", "99999999999999999999"]) {
      expect([bad, (await get(`?page_number=${bad}`)).status]).toEqual([bad, 422]);
    }
    expect((await get("?page_number=1&page_number=2")).body.details).toEqual([
      { field: "page_number", code: "invalid", message: "page_number was sent more than once. Send it once." },
    ]);
    expect((await get("?page_number=&page_size=&unknown=1")).status).toBe(200);
  });
});

describe("a change of a team member", () => {
  test("is answered with the whole member, and can be read back", async () => {
    const changes = { first_name: " Évä ", time_zone: "Asia/Tokyo", organization_role: "Collaborator", active: false };
    const changed = {
      ...eva(),
      first_name: "Évä",
      time_zone: "Asia/Tokyo",
      organization_role: "Collaborator",
      active: false,
    };
    const answer = await patch(changes);
    expect([answer.status, answer.body]).toEqual([200, { team_member: changed }]);
    expect((await get("?page_number=2&page_size=1")).body.team_members).toEqual([changed]);
  });

  test("accepts the member whole as it was answered, and ignores what cannot be changed", async () => {
    const answer = await patch({ ...eva(), id: workspace.admin.id, created_at: "x", last_name: "Neu" });
    expect(answer.body).toEqual({ team_member: { ...eva(), last_name: "Neu" } });
    expect((await patch({})).body).toEqual({ team_member: { ...eva(), last_name: "Neu" } });
    expect((await patch(eva(), editor.id.toUpperCase())).body).toEqual({ team_member: eva() });
  });

  test("is refused with every failing field, and nothing is changed", async () => {
    const { status, body } = await patch({
      email: "nobody",
      first_name: "  ",
      last_name: "x".repeat(101),
      time_zone: "+02:00",
      organization_role: null,
      active: "yes",
    });
    expect(status).toBe(422);
    expect(body.details).toEqual([
      { field: "email", code: "invalid", message: "The email is not valid. Enter one such as name@example.com." },
      { field: "first_name", code: "required", message: "The first name must not be empty." },
      { field: "last_name", code: "too_long", message: "The last name can have up to 100 characters." },
      { field: "time_zone", code: "invalid", message: "The time zone must be an IANA name, such as Europe/Berlin." },
      { field: "organization_role", code: "invalid", message: "The role must be text." },
      { field: "active", code: "invalid", message: "Active must be true or false." },
    ]);
    expect(body.error).toBe(body.details.map(({ message }: { message: string }) => message).join(" "));
    const linked = await patch({ first_name: "Win at evil.example", last_name: "a@b" });
    expect([linked.status, linked.body.details]).toEqual([
      422,
      [
        { field: "first_name", code: "invalid", message: "The first name can't contain a URL or an @." },
        { field: "last_name", code: "invalid", message: "The last name can't contain a URL or an @." },
      ],
    ]);
    expect((await get("?email=eva.editor@example.com")).body.team_members).toEqual([eva()]);
  });

  test("names a taken address and an unknown role together", async () => {
    const { status, body } = await patch({ email: workspace.admin.email.toUpperCase(), organization_role: "editor" });
    expect([status, body.details]).toEqual([
      422,
      [
        { field: "email", code: "taken", message: "Another member of this workspace has this email." },
        {
          field: "organization_role",
          code: "not_found",
          message: "The role must be exactly one of: Admin, Collaborator, Editor.",
        },
      ],
    ]);
  });

  test("names what the form and what other members decide in one answer", async () => {
    const { status, body } = await patch({
      email: workspace.admin.email,
      first_name: "",
      time_zone: 5,
      organization_role: "nobody",
    });
    expect([status, body.details.map(({ field, code }: { field: string; code: string }) => [field, code])]).toEqual([
      422,
      [
        ["first_name", "required"],
        ["time_zone", "invalid"],
        ["email", "taken"],
        ["organization_role", "not_found"],
      ],
    ]);
    expect((await get("?email=eva.editor@example.com")).body.team_members).toEqual([eva()]);
  });

  test("of the email or of active ends the member's sessions, and each leaves an audit entry", async () => {
    const sessions = () =>
      acrossWorkspaces.query("SELECT member_id FROM sessions WHERE workspace_id = $1", [workspace.id]);
    const signIn = () =>
      inWorkspace(workspace.id, (db) =>
        db.session.createMany({
          data: [editor.id, workspace.admin.id].map((memberId) => ({
            memberId,
            expiresAt: new Date(Date.now() + 60_000),
          })),
        }),
      );
    await signIn();
    const from = { ip: "192.0.2.44", request_id: "deploy-7" };
    const options = { headers: { "x-forwarded-for": from.ip, "x-request-id": from.request_id } };
    await patch({ first_name: "Evi" }, editor.id, options);
    expect(await sessions()).toHaveLength(2);
    await patch({ email: "eva@example.com" }, editor.id, options);
    expect(await sessions()).toEqual([{ member_id: workspace.admin.id }]);
    await signIn();
    await patch({ active: false }, editor.id, options);
    expect((await sessions()).filter((row) => (row as { member_id: string }).member_id === editor.id)).toEqual([]);
    const entries = await acrossWorkspaces.query(
      `SELECT actor_kind, actor_name, ip, request_id, subject_name, details FROM audit_entries
       WHERE workspace_id = $1 AND action = 'member.updated' ORDER BY created_at`,
      [workspace.id],
    );
    const entry = { actor_kind: "api_key", actor_name: "test", ...from };
    expect(entries).toEqual([
      { ...entry, subject_name: "Eva.Editor@Example.com", details: { firstName: "Eva → Evi" } },
      { ...entry, subject_name: "eva@example.com", details: { email: "Eva.Editor@Example.com → eva@example.com" } },
      { ...entry, subject_name: "eva@example.com", details: { active: "true → false" } },
    ]);
  });

  test("that would leave no administrator is refused, even for two concurrent changes", async () => {
    const alone = await patch({ active: false }, workspace.admin.id);
    expect([alone.status, alone.body.details]).toEqual([
      422,
      [
        {
          field: "active",
          code: "not_allowed",
          message: "This is the last administrator. Make another member an administrator first.",
        },
      ],
    ]);
    const inCapitals = await patch({ active: false }, workspace.admin.id.toUpperCase());
    expect([inCapitals.status, inCapitals.body]).toEqual([alone.status, alone.body]);
    const twice = await patch({ active: false, organization_role: "Editor" }, workspace.admin.id);
    expect(twice.body.details.map(({ field, code }: { field: string; code: string }) => [field, code])).toEqual([
      ["organization_role", "not_allowed"],
      ["active", "not_allowed"],
    ]);
    await patch({ organization_role: "Admin" });
    const both = await Promise.all([
      patch({ organization_role: "Editor" }),
      patch({ organization_role: "Editor" }, workspace.admin.id),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
  });

  test("to one email by twenty concurrent requests succeeds once", async () => {
    const members = await inWorkspace(workspace.id, async (db) => {
      const made: Member[] = [];
      for (let number = 0; number < 20; number++) {
        made.push(
          await createMember(
            db,
            { email: `m${number}@example.com`, firstName: "M", lastName: String(number), role: "Editor" },
            workspace.actor,
          ),
        );
      }
      return made;
    });
    const answers = await Promise.all(members.map(({ id }) => patch({ email: "wanted@example.com" }, id)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 422)]);
    const refused = answers.filter(({ status }) => status === 422).flatMap(({ body }) => body.details);
    expect(refused.every(({ code }: { code: string }) => code === "taken")).toBe(true);
  });

  test("to one address, which is told of it, is made so often in a while, and one that mails nobody as often as wanted", async () => {
    const moved = (email: string) => patch({ email, first_name: "Eva" });
    for (let count = 0; count < 4; count++) {
      expect((await moved("wanted@example.com")).status).toBe(200);
      expect((await moved("wanted@example.com")).status).toBe(200);
      // A rejected change sends no mail.
      expect((await moved(workspace.admin.email)).status).toBe(422);
      expect((await moved(`eva${count}@example.com`)).status).toBe(200);
    }
    const refused = await moved("Wanted@example.com");
    expect(refused.status).toBe(429);
    expect(refused.body.error).toMatch(/^Nothing was changed\. Too many emails .* Try again in \d+ seconds\.$/);
    const seconds = Number(refused.headers.get("retry-after"));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(15 * 60);
    expect((await get("?email=eva3@example.com")).body.team_members).toHaveLength(1);
    expect((await patch({ last_name: "Neu" })).status).toBe(200);
    expect((await moved("another@example.com")).status).toBe(200);
  });

  test("respects If-Match, with or without the weak prefix", async () => {
    const one = () => call(paths["/team-members/{team_member_id}"], workspace, `${list}/${editor.id}`);
    const tag = (await one()).headers.get("etag") ?? "";
    expect((await patch({ first_name: "A" }, editor.id, { headers: { "if-match": tag.slice(2) } })).status).toBe(200);
    const stale = await patch({ first_name: "B" }, editor.id, { headers: { "if-match": tag } });
    expect([stale.status, stale.body.code]).toEqual([412, "revision_conflict"]);
    expect((await one()).body.team_member.first_name).toBe("A");
    expect((await patch({ first_name: "C" }, editor.id, { headers: { "if-match": "*" } })).status).toBe(200);
  });

  test("by several who read the same member succeeds once", async () => {
    const path = paths["/team-members/{team_member_id}"];
    const tag = (await call(path, workspace, `${list}/${editor.id}`)).headers.get("etag") ?? "";
    const answers = await Promise.all(
      ["A", "B", "C", "D"].map((first_name) => patch({ first_name }, editor.id, { headers: { "if-match": tag } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test("wants a JSON object of at most 64 KiB, called by its content type", async () => {
    const type = (value: string) => ({ headers: { "content-type": value } });
    const wrong = await patch("{}", editor.id, type("text/plain"));
    expect([wrong.status, wrong.headers.get("accept-patch")]).toEqual([
      415,
      "application/json, application/merge-patch+json",
    ]);
    expect((await patch("{}", editor.id, type("application/merge-patch+json"))).status).toBe(200);
    expect((await patch("{}", editor.id, type("application/json; charset=utf-8"))).status).toBe(200);
    for (const body of ["", "{", "[]", "null", '"x"', "\u0000"])
      expect([body, (await patch(body)).status]).toEqual([body, 400]);
    expect((await patch({ first_name: "x", padding: "x".repeat(65_536) })).status).toBe(413);
  });
});
