import { X } from "lucide-react";
import { Fragment, type ReactNode } from "react";
import { Badge } from "@/components/ui/badge";
import { BarChart } from "@/components/ui/bar-chart";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { CodeFrame, CodeText } from "@/components/ui/code-frame";
import { CodeLine } from "@/components/ui/code-line";
import { Combobox } from "@/components/ui/combobox";
import { Confirm } from "@/components/ui/confirm";
import { CopyButton } from "@/components/ui/copy-button";
import { Empty } from "@/components/ui/empty";
import { Choice, Field, TextField } from "@/components/ui/field";
import { Filter, FilterChoice, FilterCombobox, FilterDate, FilterSearch } from "@/components/ui/filter";
import { Fold } from "@/components/ui/fold";
import {
  Form,
  FormCheck,
  FormChoice,
  FormCombobox,
  FormField,
  FormGroup,
  type FormState,
  FormText,
} from "@/components/ui/form";
import { IconButton } from "@/components/ui/icon-button";
import { Inline } from "@/components/ui/inline";
import { Json } from "@/components/ui/json";
import { Mark } from "@/components/ui/mark";
import { Moment } from "@/components/ui/moment";
import { Monogram } from "@/components/ui/monogram";
import { OlderNewer } from "@/components/ui/older-newer";
import { Pager } from "@/components/ui/pager";
import { Portrait } from "@/components/ui/portrait";
import { QrCode } from "@/components/ui/qr-code";
import { Refusal } from "@/components/ui/refusal";
import { Select } from "@/components/ui/select";
import { SheetButton } from "@/components/ui/sheet-button";
import { Key } from "@/components/ui/shortcuts";
import { Submit } from "@/components/ui/submit";
import { Table } from "@/components/ui/table";
import { ThemeSwitch } from "@/components/ui/theme-switch";
import { textOf } from "@/lib/http/form";

async function refuse(_before: FormState, form: FormData): Promise<FormState> {
  "use server";
  return {
    values: { name: textOf(form, "name"), may: "" },
    errors: { "": "Nothing was saved.", name: "That name is taken.", may: "Choose at least one." },
  };
}

async function nothing(): Promise<void> {
  "use server";
}

const now = new Date(Date.UTC(2026, 10, 22, 12));
const before = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
const days = [3, 0, 12, 7, 5, 9].map((value, day) => ({
  name: `${day + 17} November`,
  value,
  part: Math.floor(value / 4),
}));
const drawing =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 4'%3E%3Crect width='4' height='4' fill='%23888'/%3E%3C/svg%3E";
const options = [
  { value: "a", name: "The first" },
  { value: "b", name: "The second" },
];

const places = [
  { value: "a", name: "Overview", note: "Billing" },
  { value: "b", name: "Overview", note: "Billing / Invoices" },
  { value: "c", name: "Getting started" },
];

/** By file name. `theme` makes ids and names unique. */
const shown: Record<string, (theme: string) => ReactNode> = {
  badge: () => (
    <p className="flex flex-wrap gap-2">
      <Badge tone="good">Published</Badge>
      <Badge tone="info">Unpublished changes</Badge>
      <Badge tone="caution">On hold</Badge>
      <Badge tone="bad">Expired</Badge>
      <Badge tone="quiet">Draft</Badge>
    </p>
  ),
  "bar-chart": (theme) => <BarChart label={`Views, ${theme}`} columns={["Day", "Views", "No results"]} bars={days} />,
  button: () => (
    <div className="flex flex-wrap gap-2">
      <Button>Save</Button>
      <Button aria-disabled>Saving…</Button>
      <Button look="plain">Filter</Button>
      <Button look="danger">Delete</Button>
      <Button size="small">Small</Button>
    </div>
  ),
  "button-link": () => <ButtonLink href="/">A link</ButtonLink>,
  "code-frame": () => (
    <CodeFrame head={<span>Try it</span>}>
      <CodeText>curl https://docs.example.com</CodeText>
    </CodeFrame>
  ),
  "code-line": () => <CodeLine>https://docs.example.com</CodeLine>,
  combobox: () => (
    <div className="grid gap-4">
      <Combobox aria-label="Required" defaultValue="b" options={places} />
      <Combobox aria-label="Optional" none="Any category" options={places} />
    </div>
  ),
  confirm: (theme) => (
    <Confirm id={`confirm-${theme}`} label="Delete" title="Delete “Example”?" yes="Delete" action={nothing} fields={{}}>
      <p>You can't undo this.</p>
    </Confirm>
  ),
  "copy-button": () => (
    <CodeFrame
      head={
        <>
          <span>Key</span>
          <CopyButton label="Copy key" />
        </>
      }
    >
      <CodeText>copied</CodeText>
    </CodeFrame>
  ),
  empty: () => (
    <Empty title="Nothing yet" action={<ButtonLink href="/">Create one</ButtonLink>}>
      <p>Create one to get started.</p>
    </Empty>
  ),
  field: () => (
    <div className="grid gap-4">
      <Field label="Name" hint="Shown to other members." defaultValue="Ada" />
      <Field label="Refused" error="That name is taken." defaultValue="Ada" />
      <TextField label="Text" />
      <Choice label="Choice" options={options} />
    </div>
  ),
  filter: () => (
    <Filter action="/components" isFiltered>
      <FilterSearch label="Search" value="" />
      <FilterChoice label="Status" name="status" value="b" any="Any status" options={options} />
      <FilterCombobox label="Category" name="category" value="" any="Any category" options={places} />
      <FilterDate label="From" name="from" value="" />
    </Filter>
  ),
  fold: () => (
    <Fold summary="Details">
      <p>Hidden until opened.</p>
    </Fold>
  ),
  form: () => (
    <Form action={refuse} submit="Refuse it" busy="Refusing…">
      <FormField label="Name" name="name" defaultValue="Ada" />
      <FormText label="Text" name="text" rows={2} />
      <FormChoice label="Choice" name="choice" options={options} />
      <FormCombobox label="Category" name="category" placeholder="Choose a category" options={places} />
      <FormGroup name="may" legend="Members with this role can">
        <FormCheck name="may" value="read" label="Read" defaultChecked />
        <FormCheck name="may" value="write" label="Write" hint="Includes deleting." />
      </FormGroup>
    </Form>
  ),
  "icon-button": () => <IconButton label="Close" icon={X} />,
  inline: () => (
    <p>
      <Inline>Text with `code` in it.</Inline>
    </p>
  ),
  json: () => <Json value={{ name: "Example", count: 3, none: null }} />,
  mark: () => <Mark name="Example" image={null} />,
  moment: () => (
    <p>
      {[0, 5, 300, 5000, 500_000].map((minutes) => (
        <Fragment key={minutes}>
          <Moment at={before(minutes)} now={now} timeZone="UTC" />
          {" · "}
        </Fragment>
      ))}
    </p>
  ),
  monogram: () => (
    <div className="flex gap-3">
      <Monogram name="Example" />
      <Monogram name="Example" small />
    </div>
  ),
  "older-newer": () => <OlderNewer newest="?" newer="?before=2" older="?before=1" />,
  pager: () => <Pager page={2} size={25} total={1234} address={(page) => `?page=${page}`} />,
  portrait: () => (
    <div className="flex items-center gap-3">
      <Portrait path={drawing} />
      <Portrait path={drawing} large />
    </div>
  ),
  "qr-code": () => (
    <QrCode
      label="A QR code"
      modules={[
        [false, false, false, false],
        [false, true, false, false],
        [false, false, true, false],
        [false, false, false, false],
      ]}
    />
  ),
  refusal: () => <Refusal>Not saved. That name is taken.</Refusal>,
  select: () => (
    <div className="grid justify-items-start gap-3">
      <Select aria-label="Choice" options={options} />
      <Select aria-label="Small choice" size="small" fit options={options} />
    </div>
  ),
  "sheet-button": () => <SheetButton target="nothing">Contents</SheetButton>,
  shortcuts: () => (
    <p>
      <Key>Ctrl</Key> <Key>K</Key>
    </p>
  ),
  submit: () => (
    <form action={nothing}>
      <Submit busy="Saving…">Save</Submit>
    </form>
  ),
  table: () => (
    <Table
      label="Example"
      columns={[
        { name: "Name", sort: { href: "?sort=name", direction: "ascending" } },
        "Status",
        { name: "Views", align: "end", sort: { href: "?sort=views", direction: null } },
        "",
      ]}
      rows={["Ada", "Grace"].map((name) => ({
        key: name,
        cells: [
          name,
          <Badge key="state" tone="good">
            Active
          </Badge>,
          "1,234",
          <Button key="edit" look="plain" size="small" aria-label={`Edit ${name}`}>
            Edit
          </Button>,
        ],
      }))}
    />
  ),
  "theme-switch": () => <ThemeSwitch />,
};

/** Overlays, components that events show, and those that draw nothing. */
export const notShown = {
  "actions-menu": "the menu behind the three dots of a tree row",
  "submit-on-load": "the step between creating a knowledge base and opening its admin pages",
  drawer: "article details, beside the text",
  popover: "the publish panel, below its button",
  arriving: "the outline of a page while the page loads",
  "field-row": "a field of a “Try it” form in the API reference",
  notice: "a whole page",
  offline: "a line above the page while the browser is offline",
  palette: "Ctrl+K in the admin UI",
  "search-list": "related articles, beside an article",
  section: "a part of a settings page",
  "theme-script": "the script that sets the chosen theme before the page is drawn",
  toast: "a message over a page after an action",
  tokens: "tags and keywords beside an article",
};

export const names = Object.keys(shown);

export function Gallery() {
  return (
    <main className="text-sm lg:grid lg:grid-cols-2">
      {["light", "dark"].map((theme) => (
        <section
          key={theme}
          aria-label={theme}
          className={`bg-surface p-6 text-text ${theme === "dark" ? "scheme-dark" : "scheme-light"}`}
        >
          <h1 className="text-xl">Components, {theme}</h1>
          {Object.entries(shown).map(([name, draw]) => (
            <section key={name} aria-label={`${name}, ${theme}`} className="mt-8 border-t border-border pt-3">
              <h2 className="mb-3 font-mono text-code text-text-muted">{name}</h2>
              {draw(theme)}
            </section>
          ))}
          <h2 className="mt-8 border-t border-border pt-3 text-base">Shown elsewhere</h2>
          <ul className="mt-2 list-disc pl-5">
            {Object.entries(notShown).map(([name, where]) => (
              <li key={name}>
                <code>{name}</code>: {where}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </main>
  );
}
