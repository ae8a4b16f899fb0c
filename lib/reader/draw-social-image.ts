import { renderAsync } from "@resvg/resvg-js";
import { LRUCache } from "lru-cache";
import satori from "satori";
import { ACCENT, type Box, box, FONT_FAMILY, fonts, GROUND, INK, letterBox } from "@/lib/reader/drawing";
import { SOCIAL_IMAGE_SIZE, type SocialImage, socialImageVersion } from "@/lib/reader/social-image";
import { firstLetter } from "@/lib/reader/workspace-icon";

/** Drawing an image blocks the process for about 0.1 seconds. */
const MAX_WAITING = 20;

const drawn = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: 16_000_000,
  sizeCalculation: (png) => png.byteLength,
});
const waiting = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
let last: Promise<unknown> = Promise.resolve();

export function drawnSocialImage(image: SocialImage): Promise<Uint8Array<ArrayBuffer>> | undefined {
  const version = socialImageVersion(image);
  const png = drawn.get(version);
  return png ? Promise.resolve(png) : waiting.get(version);
}

/** Draws one image at a time. Returns null when too many are waiting. */
export async function drawSocialImage(image: SocialImage): Promise<Uint8Array<ArrayBuffer> | null> {
  const known = drawnSocialImage(image);
  if (known) return known;
  const version = socialImageVersion(image);
  if (waiting.size >= MAX_WAITING) return null;
  const drawing = last.then(async () => {
    const png = await draw(image);
    drawn.set(version, png);
    return png;
  });
  waiting.set(version, drawing);
  last = drawing.catch(() => undefined).finally(() => waiting.delete(version));
  return drawing;
}

async function draw(image: SocialImage): Promise<Uint8Array<ArrayBuffer>> {
  const loaded = await fonts();
  let undrawable = new Set<string>();
  const svg = async (shown: SocialImage) =>
    satori(layout(shown) as Parameters<typeof satori>[0], {
      ...SOCIAL_IMAGE_SIZE,
      fonts: loaded,
      // Called with characters that no font has. They would be drawn as empty boxes.
      loadAdditionalAsset: async (_, characters) => {
        undrawable = new Set([...undrawable, ...characters]);
        return [];
      },
    });
  let picture = await svg(image);
  if (undrawable.size > 0) picture = await svg(withoutUndrawable(image, undrawable));
  const png = await renderAsync(picture, { font: { loadSystemFonts: false } });
  return new Uint8Array(png.asPng());
}

/** Removes undrawable symbols. A text with an undrawable letter is removed entirely, because words would be incomplete. */
function withoutUndrawable(image: SocialImage, undrawable: Set<string>): SocialImage {
  const whole = (text: string | null): string | null => {
    const characters = [...(text ?? "")];
    if (characters.some((character) => undrawable.has(character) && /[\p{L}\p{M}\p{N}]/u.test(character))) return null;
    const left = characters.filter((character) => !undrawable.has(character)).join("");
    return left.replace(/\s+/g, " ").trim() || null;
  };
  return {
    ...image,
    workspace: whole(image.workspace) ?? "",
    category: whole(image.category),
    title: whole(image.title),
  };
}

const muted = "#6b655f";

function layout({ workspace, host, accentColor, category, title }: SocialImage): Box {
  const color = accentColor ?? ACCENT;
  const small = category ? [text(category, { fontSize: 30, color: muted }, 1)] : [];
  const big = (value: string) => (value ? [text(value, { ...sizeOf(value), ...bold }, 4)] : []);
  const top = [mark(workspace, color, 48), text(workspace, { fontSize: 32, fontWeight: 600 }, 1)];
  return box(
    {
      width: "100%",
      height: "100%",
      boxSizing: "border-box",
      flexDirection: "column",
      justifyContent: "space-between",
      padding: "64px 72px 56px 72px",
      borderLeft: `24px solid ${color}`,
      background: GROUND,
      color: INK,
      fontFamily: FONT_FAMILY,
    },
    [
      box({ alignItems: "center", gap: 20, height: 48 }, title === null ? [] : top),
      title === null
        ? box({ flexDirection: "column", gap: 24 }, [mark(workspace, color, 104), ...big(workspace), ...small])
        : box({ flexDirection: "column", gap: 18 }, [...small, ...big(title)]),
      text(host, { fontSize: 26, color: muted }, 1),
    ],
  );
}

const bold = { fontWeight: 600, letterSpacing: "-0.02em" };

function mark(workspace: string, color: string, size: number): Box {
  const style = { borderRadius: size / 4, border: "2px solid #0000001f", boxSizing: "border-box" };
  return letterBox(firstLetter(workspace), color, size, style);
}

function text(value: string, style: Record<string, string | number>, lines: number): Box {
  const bounded = { display: "block", lineClamp: lines, wordBreak: "break-word", maxWidth: 1030 };
  return box({ ...style, ...bounded }, Array.from(value).slice(0, 300).join(""));
}

function sizeOf(title: string): { fontSize: number; lineHeight: number } {
  const length = [...title].length;
  return { fontSize: length <= 36 ? 80 : length <= 72 ? 66 : length <= 120 ? 56 : 46, lineHeight: 1.15 };
}
