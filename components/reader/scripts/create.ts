/**
 * Creates an element.
 * @param properties of the element, not attributes
 */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...content: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

/** A copy of a template's content. */
export function copyOf(template: HTMLTemplateElement | null): DocumentFragment {
  return template ? document.importNode(template.content, true) : document.createDocumentFragment();
}
