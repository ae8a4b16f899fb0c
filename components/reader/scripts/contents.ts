/** Pixels from the top of the window. The last section that starts above is current. */
const LINE = 160;

/** Marks the link to the current section, and keeps it in view. */
export function markSection(contents: HTMLElement): void {
  const links = [...contents.querySelectorAll<HTMLAnchorElement>("a[href*='#']")].filter(
    (link) => link.pathname === location.pathname,
  );
  const marked = links.flatMap((link) => {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return section ? [{ link, section }] : [];
  });
  let waiting = 0;
  const mark = () => {
    waiting = 0;
    const current = marked.findLast(({ section }) => section.getBoundingClientRect().top <= LINE);
    for (const { link } of marked) {
      if (link !== current?.link) link.removeAttribute("aria-current");
      else if (!link.hasAttribute("aria-current")) {
        link.setAttribute("aria-current", "location");
        link.scrollIntoView({ block: "nearest" });
      }
    }
  };
  mark();
  const onScroll = () => {
    waiting ||= requestAnimationFrame(mark);
  };
  addEventListener("scroll", onScroll, { passive: true });
}
