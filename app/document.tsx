import localFont from "next/font/local";
import type { ReactNode } from "react";
import "./globals.css";

/** What nearly every text needs, preloaded; the other scripts come from the package's own faces when a text has them. */
const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-inter",
  // The fallback with Inter's metrics is in globals.css, where it stands after the other scripts.
  adjustFontFallback: false,
});

/** The frame of every page, for the root layouts. */
export function Document({ lang, children }: { lang: string; children: ReactNode }) {
  return (
    <html lang={lang} className={inter.variable}>
      <body>{children}</body>
    </html>
  );
}
