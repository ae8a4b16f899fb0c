import localFont from "next/font/local";
import type { ReactNode } from "react";
import { directionOf } from "@/lib/settings/languages";
import "./globals.css";

/** The faces that nearly every text needs, preloaded. Other scripts load from the package's own faces when a text has them. */
const inter = localFont({
  src: "../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2",
  weight: "100 900",
  display: "swap",
  variable: "--font-inter",
  // The fallback with Inter's metrics is in globals.css, where it comes after the other scripts.
  adjustFontFallback: false,
});

/**
 * The frame of every page, for the root layouts.
 * @param head comes before the page. It may set the theme on the html element, and React keeps that.
 */
export function Document({ lang, head, children }: { lang: string; head?: ReactNode; children: ReactNode }) {
  return (
    <html lang={lang} dir={directionOf(lang)} className={inter.variable} suppressHydrationWarning>
      {head && <head>{head}</head>}
      <body>{children}</body>
    </html>
  );
}
