import { InputRule, mergeAttributes } from "@tiptap/core";
import { BulletList, ListItem, ListKeymap, OrderedList, TaskItem, TaskList } from "@tiptap/extension-list";
import { TextSelection, type Transaction } from "@tiptap/pm/state";
import { canJoin } from "@tiptap/pm/transform";

/** Ignores "- " at the start of a list item, where typing it out of habit would nest a list. */
const outsideOfItems = (rules: InputRule[] = []) =>
  rules.map(
    ({ find, handler, undoable }) =>
      new InputRule({
        find,
        undoable,
        handler: (context) => {
          const $from = context.state.doc.resolve(context.range.from);
          const isItem = $from.depth > 1 && /^(?:listItem|taskItem)$/.test($from.node(-1).type.name);
          return isItem && $from.index(-1) === 0 ? null : handler(context);
        },
      }),
  );

const bullets = BulletList.extend({
  addInputRules() {
    return outsideOfItems(this.parent?.());
  },
  renderHTML: () => ["ul", 0],
});

const ordered = OrderedList.extend({
  addInputRules() {
    return outsideOfItems(this.parent?.());
  },
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

/**
 * Turns the list item at a position into a task. The items before and after it stay in their lists.
 * @returns whether an item starts there
 */
function becomeTask(tr: Transaction, place: number, checked: boolean): boolean {
  const $place = tr.doc.resolve(place);
  const { listItem, taskList, taskItem } = tr.doc.type.schema.nodes;
  if ($place.depth < 3 || $place.node(-1).type !== listItem || $place.index(-1) !== 0) return false;
  const [item, list, at, index] = [$place.node(-1), $place.node(-2), $place.before(-2), $place.index(-2)];
  const all = list.content.content;
  const start = list.attrs.start as number | undefined;
  const part = (items: typeof all, from: number) =>
    items.length > 0 ? [list.type.create(start === undefined ? null : { start: start + from }, items)] : [];
  const before = part(all.slice(0, index), 0);
  const made = taskList!.create(null, taskItem!.create({ checked }, item.content));
  tr.replaceWith(at, at + list.nodeSize, [...before, made, ...part(all.slice(index + 1), index + 1)]);
  const begins = at + (before[0]?.nodeSize ?? 0);
  tr.setSelection(TextSelection.create(tr.doc, begins + 3));
  // The later edge first, because joining moves everything after it.
  for (const edge of [begins + made.nodeSize, begins]) {
    const { nodeBefore, nodeAfter } = tr.doc.resolve(edge);
    if (nodeBefore?.type === taskList && nodeAfter?.type === taskList && canJoin(tr.doc, edge)) tr.join(edge);
  }
  return true;
}

const task = TaskItem.extend({
  content: "block+",
  addInputRules() {
    return [
      new InputRule({
        find: /^\s*\[([ xX]?)\]\s$/,
        handler: ({ state, range, match }) => {
          const tr = state.tr.delete(range.from, range.to);
          return becomeTask(tr, range.from, /x/i.test(match[1] ?? "")) ? undefined : null;
        },
      }),
      ...outsideOfItems(this.parent?.()),
    ];
  },
  addAttributes: () => ({
    checked: {
      default: false,
      keepOnSplit: false,
      parseHTML: (element: HTMLElement) => element.firstElementChild?.hasAttribute("checked") === true,
      rendered: false,
    },
  }),
  parseHTML: () => [{ tag: "li.task-list-item", priority: 60 }],
  // html.ts removes this box again, because an element with a content slot cannot have siblings.
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

export const listExtensions = [bullets, ordered, item, tasks, task, ListKeymap];
