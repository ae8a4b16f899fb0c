/**
 * Scrolls the tree to where it was, and on to the current page if that is out of view, before the page is painted. The
 * script is the same on every page, so one CSP hash allows it.
 */
const scroll = `{const t=document.getElementById("_tree"),c=t.querySelector("[aria-current=page]");try{t.scrollTop=sessionStorage.getItem("tree-scroll")}catch{}if(c){const a=c.getBoundingClientRect(),b=t.getBoundingClientRect();if(a.top<b.top+64||a.bottom>b.bottom-32)t.scrollTop+=a.top-b.top-b.height/3}}`;

export function TreeScroll({ nonce }: { nonce: string | undefined }) {
  return <script data-own="" nonce={nonce} dangerouslySetInnerHTML={{ __html: scroll }} />;
}

/** Hidden without scripts. */
export function TreeFilter({ label }: { label: string }) {
  return (
    <div className="tree-filter">
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        className="block h-11 w-full rounded-sm border border-border-field bg-surface-raised px-3 text-base -outline-offset-1 placeholder:text-text-muted md:h-8 md:px-2.5 md:text-sm [&::-webkit-search-cancel-button]:hidden"
      />
      <ul hidden />
      <p role="status" />
    </div>
  );
}
