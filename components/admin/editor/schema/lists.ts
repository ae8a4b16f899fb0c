import { mergeAttributes } from "@tiptap/core";
import { BulletList, ListItem, ListKeymap, OrderedList, TaskItem, TaskList } from "@tiptap/extension-list";

const ordered = OrderedList.extend({
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (element: HTMLElement) => Number.parseInt(element.getAttribute("start") ?? "1", 10) || 0,
    },
  }),
  renderHTML: ({ node }) => ["ol", node.attrs.start === 1 ? {} : { start: node.attrs.start as number }, 0],
});

const item = ListItem.extend({ content: "block+" });

const tasks = TaskList.extend({
  parseHTML: () => [{ tag: "ul.contains-task-list", priority: 60 }],
  renderHTML: () => ["ul", { class: "contains-task-list" }, 0],
});

const task = TaskItem.extend({
  content: "block+",
  addAttributes: () => ({
    checked: {
      default: false,
      keepOnSplit: false,
      parseHTML: (element: HTMLElement) => element.firstElementChild?.hasAttribute("checked") === true,
      rendered: false,
    },
  }),
  parseHTML: () => [{ tag: "li.task-list-item", priority: 60 }],
  // The box around the blocks is taken away again in html.ts: what has a place for content may have nothing beside it.
  renderHTML: ({ node }) => [
    "li",
    { class: "task-list-item" },
    ["input", mergeAttributes({ type: "checkbox", disabled: "" }, node.attrs.checked ? { checked: "" } : {})],
    ["div", 0],
  ],
}).configure({
  nested: true,
  HTMLAttributes: { class: "task-list-item" },
  a11y: { checkboxLabel: ({ textContent }) => `Done: ${textContent || "an empty task"}` },
});

export const listExtensions = [
  BulletList.extend({ renderHTML: () => ["ul", 0] }),
  ordered,
  item,
  tasks,
  task,
  ListKeymap,
];
