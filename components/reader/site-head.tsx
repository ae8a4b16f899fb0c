import { ThemeScript } from "@/components/ui/theme-script";

/** @param style the workspace's accent color as CSS, or null if it has none */
export function SiteHead({ style, nonce }: { style: string | null; nonce: string | undefined }) {
  return (
    <>
      <ThemeScript nonce={nonce} />
      {style && <style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: style }} />}
    </>
  );
}
