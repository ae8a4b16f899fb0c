// @vitest-environment jsdom
import type { Editor } from "@tiptap/core";
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ArticleEditor } from "@/components/admin/editor/article-editor";
import type { LookedUp, Lookup } from "@/components/admin/editor/checks/findings";
import type { LinkTarget } from "@/components/admin/editor/parts/link-form";
import { snippetBlocks } from "@/components/admin/editor/parts/snippets";
import { contentFromHtml } from "@/lib/content/content";

let root: Root | undefined;

beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  // jsdom lays nothing out.
  Element.prototype.scrollIntoView = () => {};
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  document.elementFromPoint = () => null;
  // Nor does it have popovers.
  HTMLElement.prototype.showPopover = () => {};
  HTMLElement.prototype.hidePopover = function (this: HTMLElement) {
    this.dispatchEvent(Object.assign(new Event("toggle"), { newState: "closed" }));
  };
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});

beforeEach(() => {
  lookUp = async () => ({ isTitleTaken: false, links: [], snippets: [] });
  articles = [];
});

afterEach(() => act(async () => root?.unmount()));

/** The server's answers. */
let lookUp: (requests: Lookup) => Promise<LookedUp>;
let articles: LinkTarget[];

const snippets = [
  { name: "plan-name", text: "Professional", isInline: true },
  { name: "support-email", text: "help@example.com", isInline: true },
  { name: "warning", text: "Hot", isInline: false },
];

const article = (html: string, onChange: (html: string) => void) => (
  <ArticleEditor
    html={html}
    onChange={onChange}
    findArticles={async () => articles}
    sendImage={async () => ({ src: "/a.png" })}
    title="Refunds"
    lookUp={(requests) => lookUp(requests)}
    snippets={snippets}
  />
);

async function show(html: string, onChange: (html: string) => void): Promise<HTMLElement> {
  const box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
  await act(async () => root?.render(article(html, onChange)));
  return box;
}

test("an article is shown with its tools, and nothing is said to be changed", async () => {
  const changes: string[] = [];
  const box = await show('<h2 id="a">Head</h2>\n<p>Text</p>', (html) => changes.push(html));
  const text = box.querySelector("[role=textbox]");
  expect(text?.textContent).toBe("HeadText");
  expect(text?.getAttribute("contenteditable")).toBe("true");
  const tools = box.querySelector("[role=toolbar]");
  expect(tools?.getAttribute("aria-label")).toBe("Tools");
  // One of them is reached by Tab, the rest by arrows.
  expect(tools?.querySelectorAll("[tabindex='0']")).toHaveLength(1);
  expect(changes).toEqual([]);
});

test("the tokens of snippets are marked with their text, and no others", async () => {
  const box = await show(
    "<p>Ask {{support-email}} or {{unknown}}, <code>{{plan-name}}</code></p>\n<pre><code>{{plan-name}}</code></pre>",
    () => {},
  );
  const marked = [...box.querySelectorAll(".snippet")].map((one) => [one.textContent, one.getAttribute("title")]);
  expect(marked).toEqual([["{{support-email}}", "help@example.com"]]);
});

test("the menus of blocks open the snippets, of which one replaces what was typed", async () => {
  const box = await show("<p></p>", () => {});
  const offered = () => [...box.querySelectorAll("[role=option]")].map((one) => one.getAttribute("aria-label"));
  const insert = (text: string) => act(async () => editorIn(box).chain().focus().insertContent(text).run());
  await insert("/snip");
  await soon(() => expect(offered()).toEqual(["Snippet", "Code"]));
  await click(box, "Snippet");
  await soon(() => expect(offered()).toEqual(["plan-name", "support-email", "warning"]));
  expect(box.querySelector("[role=listbox]")?.getAttribute("aria-label")).toBe("Snippets");
  await click(box, "support-email");
  expect(editorIn(box).getText()).toBe("{{support-email}}");
  await insert(" or ");
  await click(box, "Insert");
  // Its Markdown is beside it.
  await click(box, "Snippet{{");
  await soon(() => expect(offered()).toContain("plan-name"));
  await click(box, "plan-name");
  expect(editorIn(box).getText()).toBe("{{support-email}} or {{plan-name}}");
});

test("a snippet is inserted behind what is selected", async () => {
  const box = await show("<p>Refunds take long</p>", () => {});
  await act(async () => editorIn(box).chain().focus().setTextSelection({ from: 1, to: 8 }).run());
  await click(box, "Insert");
  await click(box, "Snippet{{");
  expect(editorIn(box).getText()).toBe("Refunds{{ take long");
});

test("two braces offer snippets by name and text", () => {
  const offered = (typed: string) => snippetBlocks(snippets, typed).map(({ name }) => name);
  expect(offered("")).toEqual(["plan-name", "support-email", "warning"]);
  expect(offered("EMAIL")).toEqual(["support-email"]);
  expect(offered("pro")).toEqual(["plan-name"]);
  expect(offered("zzz")).toEqual([]);
});

test("a snippet of one paragraph is inserted into the sentence, any other into a paragraph of its own", async () => {
  const box = await show("<p>Mind the</p>", () => {});
  const insert = async (name: string, at: number) => {
    const [block] = snippetBlocks(snippets, name);
    await act(async () => block?.make?.(editorIn(box).chain().setTextSelection(at)).run());
    return editorIn(box).getText({ blockSeparator: "|" });
  };
  expect(await insert("plan-name", 6)).toBe("Mind {{plan-name}}the");
  expect(await insert("warning", 3)).toBe("Mi|{{warning}}|nd {{plan-name}}the");
});

test("a tool changes the article, and the change is told", async () => {
  const changes: string[] = [];
  const box = await show("<p>Text</p>", (html) => changes.push(contentFromHtml(html).html));
  await act(async () => box.querySelector<HTMLElement>("[aria-label='Bullet list']")?.click());
  expect(changes.at(-1)).toBe("<ul><li>Text</li></ul>");
});

/** The button, or what else is called so. */
function named(box: HTMLElement, name: string): HTMLElement {
  const all = [...box.querySelectorAll<HTMLElement>("button, input, [role=menuitem], [role=option]")];
  const found = all.find((one) => (one.getAttribute("aria-label") ?? one.textContent) === name);
  if (!found) throw new Error(`There is no “${name}”.`);
  return found;
}
const click = (box: HTMLElement, name: string) => act(async () => named(box, name).click());
const editorIn = (box: HTMLElement) => (box.querySelector(".ProseMirror") as HTMLElement & { editor: Editor }).editor;

/** Types into a field, as React hears it. */
async function fill(field: HTMLElement, value: string): Promise<void> {
  await act(async () => {
    field.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, value);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Waits for what React renders later. */
async function soon(holds: () => void): Promise<void> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false });
  await vi.waitFor(holds);
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
}

async function pressIn(field: HTMLElement, key: string): Promise<void> {
  await act(async () => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    field.dispatchEvent(event);
    if (key === "Enter" && !event.defaultPrevented) (field as HTMLInputElement).form?.requestSubmit();
  });
}

test("the field for a video's URL gets the focus when it opens, and does not take it from someone writing", async () => {
  const box = await show("<p>Text</p>", () => {});
  await click(box, "Insert");
  await click(box, "Video");
  const field = named(box, "URL of a YouTube or Vimeo video");
  expect(document.activeElement).toBe(field);
  await act(async () => editorIn(box).view.focus());
  await act(async () => editorIn(box).commands.insertContent("More"));
  expect(document.activeElement).toBe(editorIn(box).view.dom);
});

test("Enter replaces in the field of what is put in place, and nowhere else", async () => {
  const box = await show("<p>one one</p>", () => {});
  await click(box, "Find and replace");
  expect(document.activeElement).toBe(named(box, "Find"));
  await fill(named(box, "Find"), "one");
  await fill(named(box, "Replace with"), "two");
  const checkbox = box.querySelector("input[type=checkbox]") as HTMLElement;
  await pressIn(checkbox, "Enter");
  expect(editorIn(box).getText()).toBe("one one");
  await pressIn(named(box, "Replace with"), "Enter");
  expect(editorIn(box).getText()).toBe("two one");
});

test("an image keeps its proportions whatever is typed on the way to its width", async () => {
  const box = await show('<p><img src="a.png" alt="A" width="640" height="480"></p>', () => {});
  await act(async () => editorIn(box).commands.setNodeSelection(1));
  const field = box.querySelector("input[type=number]") as HTMLElement;
  for (const width of ["", "3", "30", "300"]) await fill(field, width);
  expect(editorIn(box).getHTML()).toBe('<p><img src="a.png" alt="A" width="300" height="225"></p>');
});

test("the tools beside a text that is selected are there while the text or they have the focus", async () => {
  const box = await show("<p>Some words</p>", () => {});
  const other = document.body.appendChild(document.createElement("input"));
  const bar = () => box.querySelector("[aria-label='Selected text']");
  await act(async () => editorIn(box).view.focus());
  await act(async () => editorIn(box).commands.setTextSelection({ from: 1, to: 5 }));
  expect(bar()).not.toBeNull();
  await act(async () => bar()?.querySelector("button")?.focus());
  expect(bar()?.contains(document.activeElement)).toBe(true);
  await act(async () => other.focus());
  expect(bar()).toBeNull();
  await act(async () => editorIn(box).view.focus());
  expect(bar()).not.toBeNull();
  other.remove();
});

test("the menu of blocks is gone when the cursor is", async () => {
  const box = await show("<p></p>", () => {});
  await act(async () => {
    editorIn(box).commands.focus();
    editorIn(box).commands.insertContent("/");
  });
  await vi.waitFor(() => expect(box.querySelector("[role=listbox]")).not.toBeNull());
  expect([...box.querySelectorAll("[role=status]")].map(({ textContent }) => textContent)).toContain("20 blocks");
  await act(async () => editorIn(box).view.dom.blur());
  expect(box.querySelector("[role=listbox]")).toBeNull();
});

async function linkTo(box: HTMLElement, text: string): Promise<void> {
  await click(box, "Link");
  const field = box.querySelector("[role=combobox]") as HTMLElement;
  expect(document.activeElement).toBe(field);
  await fill(field, text);
  // Immediately: the articles come later.
  await pressIn(field, "Enter");
}

test("a name that looks like a host finds the article that has it, before it was even answered", async () => {
  const box = await show("<p>Text</p>", () => {});
  articles = [{ title: "Use docs.rs", href: "/articles/use-docs-rs", category: "Guides" }];
  await act(async () => editorIn(box).commands.selectAll());
  await linkTo(box, "docs.rs");
  await soon(() => expect(editorIn(box).getHTML()).toContain('<a href="/articles/use-docs-rs">Text</a>'));
});

test("a host that no article has in its title is an address", async () => {
  const box = await show("<p>Text</p>", () => {});
  articles = [{ title: "Other", href: "/articles/other", category: "Guides" }];
  await act(async () => editorIn(box).commands.selectAll());
  await linkTo(box, "docs.rs");
  await soon(() => expect(editorIn(box).getHTML()).toContain('<a href="https://docs.rs">Text</a>'));
});

test("an image with a caption is linked, and its link is shown and taken away", async () => {
  const html = '<figure><img src="a.png" alt="A"><figcaption>Said</figcaption></figure>';
  const box = await show(html, () => {});
  await act(async () => editorIn(box).commands.setNodeSelection(1));
  await linkTo(box, "/articles/a");
  expect(contentFromHtml(editorIn(box).getHTML()).html).toBe(
    html.replace(/<img[^>]*>/, '<a href="/articles/a">$&</a>'),
  );
  await soon(() => expect(document.activeElement).toBe(editorIn(box).view.dom));
  await click(box, "Link");
  expect((box.querySelector("[role=combobox]") as HTMLInputElement).value).toBe("/articles/a");
  await click(box, "Remove link");
  expect(contentFromHtml(editorIn(box).getHTML()).html).toBe(html);
});

test("a file that is dropped beside the text does not lead away from the page", async () => {
  const box = await show("<p>Text</p>", () => {});
  const field = box.appendChild(document.createElement("input"));
  field.type = "file";
  const over = (target: Element, types: string[]) => {
    const event = new Event("dragover", { bubbles: true, cancelable: true });
    const dataTransfer = { types, dropEffect: "copy" };
    target.dispatchEvent(Object.assign(event, { dataTransfer }));
    return [event.defaultPrevented, dataTransfer.dropEffect];
  };
  expect(over(named(box, "Bold"), ["Files"])).toEqual([true, "none"]);
  expect(over(field, ["Files"])).toEqual([false, "copy"]);
  expect(over(named(box, "Bold"), ["text/plain"])).toEqual([false, "copy"]);
  expect(over(editorIn(box).view.dom, ["Files"])).toEqual([true, "copy"]);
});

test("hints name the keys of a Mac on a Mac", async () => {
  const box = await show("<p>Text</p>", () => {});
  expect(named(box, "Bold").title).toBe("Bold (Ctrl+B)");
  await act(async () => root?.unmount());
  const agent = vi
    .spyOn(navigator, "userAgent", "get")
    .mockReturnValue("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)");
  const other = await show("<p>Text</p>", () => {});
  expect(named(other, "Bold").title).toBe("Bold (⌘B)");
  expect(other.textContent).toContain("Option+F10 for the toolbar.");
  agent.mockRestore();
});

test("a message about a file stays when an image of the same drop arrives, until someone types", async () => {
  const box = await show("<p>Text</p>", () => {});
  const files = [
    new File(["x"], "a.png", { type: "image/png" }),
    new File(["x"], "b.pdf", { type: "application/pdf" }),
  ];
  const paste = Object.assign(new Event("paste", { bubbles: true, cancelable: true }), {
    clipboardData: { types: ["Files"], getData: () => "", files },
  });
  await act(async () => editorIn(box).view.dom.dispatchEvent(paste));
  await soon(() => expect(editorIn(box).getHTML()).toContain("/a.png"));
  const said = () => [...box.querySelectorAll("[role=alert]")].map(({ textContent }) => textContent).join("");
  expect(said()).toContain("Add “b.pdf” as an attachment");
  await act(async () => editorIn(box).commands.insertContent("More"));
  expect(said()).toBe("");
});

test("issues are counted, listed and linked to their place", async () => {
  const requests: Lookup[] = [];
  lookUp = async (what) => {
    requests.push(what);
    return { isTitleTaken: true, links: [{ path: "/articles/none", leads: "nowhere", missing: [] }], snippets: [] };
  };
  const box = await show('<p><a href="/articles/none">here</a> and <img src="a.png" alt=""></p>', () => {});
  await click(box, "1 issue");
  const list = () => [...box.querySelectorAll("[aria-label='Issues'] li")].map(({ textContent }) => textContent);
  await soon(() => expect(list()).toHaveLength(3));
  expect(requests.at(-1)).toEqual({
    title: "Refunds",
    links: [{ path: "/articles/none", places: [] }],
    snippets: [],
  });
  expect(list()).toEqual([
    "Duplicate title: “Refunds”",
    "Broken link: “here” to /articles/none",
    "Image is missing alt text",
  ]);
  await click(box, "Broken link: “here” to /articles/none");
  const { from, to } = editorIn(box).state.selection;
  expect(editorIn(box).state.doc.textBetween(from, to)).toBe("here");
  expect(document.activeElement).toBe(editorIn(box).view.dom);
  expect(box.querySelector("[aria-label='Issues']")).toBeNull();
});

test("the link named in the page's URL is selected once", async () => {
  history.pushState(null, "", "/admin/articles/x?link=/articles/none");
  const html = '<p><a href="/articles/some">There</a> and <a href="/articles/none">he<strong>re</strong></a></p>';
  const box = await show(html, () => {});
  const { from, to } = editorIn(box).state.selection;
  expect(editorIn(box).state.doc.textBetween(from, to)).toBe("here");
  expect(location.search).toBe("");

  history.pushState(null, "", "/admin/articles/x?link=/uploads/gone");
  await act(async () => root?.unmount());
  const other = await show('<p>Text</p><p><img src="/uploads/gone" alt=""></p>', () => {});
  expect(editorIn(other).state.selection.toJSON()).toMatchObject({ type: "node", anchor: 7 });

  history.pushState(null, "", "/admin/articles/x?link=/articles/none");
  await act(async () => root?.unmount());
  const fixed = await show("<p>Text</p>", () => {});
  expect(fixed.querySelector("[role=alert]")?.textContent).toBe("This link is no longer in the text.");
});

test("pasted images on other sites can be kept or removed, and images on this site are left alone", async () => {
  const own = `<img src="${location.origin}/uploads/a" alt="A">`;
  const pasted = `<p>Text ${own}</p><p>One <img src="https://one.example/b.png" alt="B"></p><figure><img src="https://two.example/c.png" alt="C"><figcaption>See</figcaption></figure>`;
  const paste = (box: HTMLElement) =>
    act(async () => {
      const clipboardData = {
        types: ["text/html"],
        getData: (kind: string) => (kind === "text/html" ? pasted : ""),
        files: [],
      };
      const event = Object.assign(new Event("paste", { bubbles: true, cancelable: true }), { clipboardData });
      editorIn(box).view.dom.dispatchEvent(event);
    });
  const changes: string[] = [];
  const box = await show("<p></p>", (html) => changes.push(contentFromHtml(html).html));
  const notice = () => [...box.querySelectorAll("[role=status]")].map(({ textContent }) => textContent).join("");
  await paste(box);
  await soon(() =>
    expect(notice()).toContain(
      "2 pasted images are hosted on other sites and could disappear. Upload copies to be safe.",
    ),
  );
  await click(box, "Remove");
  expect(changes.at(-1)).toBe(`<p>Text ${own}</p>\n<p>One</p>\n<p>See</p>`);
  expect(notice()).toBe("");
  await paste(box);
  await soon(() => expect(notice()).toContain("2 pasted images"));
  const before = changes.length;
  await click(box, "Keep");
  expect(notice()).toBe("");
  expect(changes).toHaveLength(before);
});

test("what cannot be looked up is said, and the rest is listed", async () => {
  lookUp = () => Promise.reject(new Error("No answer."));
  const box = await show('<p><img src="a.png" alt=""></p>', () => {});
  await click(box, "1 issue");
  const panel = () => box.querySelector("[aria-label='Issues']")?.textContent;
  await soon(() => expect(panel()).toContain("Couldn't check"));
  expect(panel()).toContain("Image is missing alt text");
});

test("the server leaves the place where it will be", () => {
  expect(renderToString(article("<p>Text</p>", () => {}))).toBe('<div class="column min-h-96"></div>');
});
