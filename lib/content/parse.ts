import {
  type DefaultTreeAdapterMap,
  type DefaultTreeAdapterTypes,
  defaultTreeAdapter,
  html,
  Parser,
  type Token,
} from "parse5";

export type SourceNode = DefaultTreeAdapterTypes.ChildNode;
export type SourceElement = DefaultTreeAdapterTypes.Element;

/** Deeper elements become siblings, as in browsers. */
const MAX_OPEN_ELEMENTS = 512;

/** Unclosed b, font and a are reopened in every paragraph, so a few kilobytes of them would grow to gigabytes. */
const MAX_REOPENED = 10_000;

const voids = new Set(["area", "br", "col", "hr", "img", "input", "wbr"]);

class BoundedParser extends Parser<DefaultTreeAdapterMap> {
  private reopened = 0;

  override onStartTag(token: Token.TagToken): void {
    if (this.openElements.stackTop < MAX_OPEN_ELEMENTS || voids.has(token.tagName)) super.onStartTag(token);
  }

  override _reconstructActiveFormattingElements(): void {
    if (this.reopened > MAX_REOPENED) this.activeFormattingElements.clearToLastMarker();
    const open = this.openElements.stackTop;
    super._reconstructActiveFormattingElements();
    this.reopened += this.openElements.stackTop - open;
  }
}

/** Parses HTML like a browser, in linear time and memory for any input. Does not clean it. Recording positions takes time. */
export function parseHtml(source: string, withPositions: boolean): SourceNode[] {
  const body = defaultTreeAdapter.createElement("body", html.NS.HTML, []);
  const parser = BoundedParser.getFragmentParser<DefaultTreeAdapterMap>(body, {
    sourceCodeLocationInfo: withPositions,
  });
  parser.tokenizer.write(source, true);
  return parser.getFragment().childNodes;
}

export function isElement(node: SourceNode): node is SourceElement {
  return "tagName" in node;
}

export function attribute(element: SourceElement, name: string): string | undefined {
  return element.attrs.find((attr) => attr.name === name)?.value;
}

/** Removes characters that databases may refuse: control characters, lone surrogates, byte order marks. */
export function withoutControls(text: string): string {
  return text.replace(/[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufeff]|\p{Cs}/gu, "");
}

export function textOf(nodes: readonly SourceNode[]): string {
  let text = "";
  for (const node of nodes) {
    if (node.nodeName === "#text") text += (node as DefaultTreeAdapterTypes.TextNode).value;
    else if (isElement(node)) text += node.tagName === "br" ? "\n" : textOf(node.childNodes);
  }
  return text;
}
