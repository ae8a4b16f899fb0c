/**
 * Applies the chosen theme (theme.ts) before the first paint. The script is the same on every page, so one CSP
 * hash allows it.
 */
const script =
  'try{const t=localStorage.getItem("theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}';

export function ThemeScript({ nonce }: { nonce: string | undefined }) {
  return <script data-own="" nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />;
}
