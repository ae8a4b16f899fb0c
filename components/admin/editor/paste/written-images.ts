/**
 * Limits for data URL images in one paste: their number, the characters per image (20 MB) and in total (50 MB). All
 * stay in memory until they are stored.
 */
const MOST = { images: 20, characters: 27_000_000, together: 67_000_000 };

/** A data URL of a supported image type. */
const WRITTEN = /data:(image\/(?:png|jpeg|gif|webp|avif));base64,([\w+/=%-]*)/gi;

/** HTML or Markdown with short URLs instead of data URLs, which would be slow to parse. */
export interface Shortened {
  source: string;
  /** The prefix of the short URLs, followed by a number and a slash. */
  begin: string;
  written: string[];
}

/** Shortens every data URL, because only parsing shows which ones are images. */
export function shorten(source: string): Shortened {
  const begin = `/pasted-${Math.random().toString(36).slice(2)}/`;
  const written: string[] = [];
  return { source: source.replace(WRITTEN, (whole) => `${begin}${written.push(whole) - 1}/`), begin, written };
}

export interface WithImages {
  /** The pasted HTML, with a temporary URL for each accepted image. */
  html: string;
  images: Map<string, File>;
  /** The number of unreadable images. */
  unfit: number;
  /** The number of images over the limits. */
  tooMany: number;
}

/**
 * Takes the images that the HTML shows, and restores all other shortened text, such as code about a data URL.
 * @param html clean HTML, made from the shortened source
 */
export function takeImages(html: string, { begin, written }: Pick<Shortened, "begin" | "written">): WithImages {
  const images = new Map<string, File>();
  const left = { unfit: 0, tooMany: 0 };
  if (written.length === 0) return { html, images, ...left };
  const short = new RegExp(`${begin}(\\d+)/`, "g");
  const asWritten = (text: string) => text.replace(short, (_, number: string) => written[Number(number)] ?? "");
  let taken = 0;
  let together = 0;
  /** @returns why the image was refused, or null */
  const take = (address: string): keyof typeof left | null => {
    const [, type = "", content = ""] = /^data:([^;]*);base64,(.*)$/s.exec(asWritten(address)) ?? [];
    const isTooMuch = content.length > MOST.characters || together + content.length > MOST.together;
    if (isTooMuch || taken === MOST.images) return "tooMany";
    const bytes = bytesOf(content);
    if (!bytes) return "unfit";
    taken++;
    together += content.length;
    const name = `image-${taken}.${type.slice("image/".length).toLowerCase().replace("jpeg", "jpg")}`;
    images.set(address, new File([bytes], name, { type }));
    return null;
  };
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const element of body.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes].filter(({ value }) => value.includes(begin))) {
      if (name === "href") element.replaceWith(...element.childNodes);
      else if (name !== "src") element.setAttribute(name, asWritten(value));
      else {
        const why = take(value);
        if (why) {
          left[why]++;
          element.remove();
        }
      }
    }
  }
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
    if (text.data.includes(begin)) text.data = asWritten(text.data);
  }
  return { html: body.innerHTML, images, ...left };
}

/** @returns null if the content is not base64 */
function bytesOf(content: string): Uint8Array<ArrayBuffer> | null {
  try {
    const letters = atob(decodeURIComponent(content));
    const bytes = new Uint8Array(letters.length);
    for (let at = 0; at < letters.length; at++) bytes[at] = letters.charCodeAt(at);
    return bytes;
  } catch {
    return null;
  }
}
