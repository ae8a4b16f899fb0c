/**
 * How many images are taken out of one paste, and how many characters one may have and all of them together: 20 MB and 50 MB,
 * since all are in memory until they are stored.
 */
const MOST = { images: 20, characters: 27_000_000, together: 67_000_000 };

/** An image that can be stored, written out in its address. */
const WRITTEN = /data:(image\/(?:png|jpeg|gif|webp|avif));base64,([\w+/=%-]*)/gi;

/** HTML or Markdown in which short addresses stand for images that are written out: reading it takes no time for them. */
export interface Shortened {
  source: string;
  /** The beginning of the addresses; a number and a slash follow. */
  begin: string;
  /** The images, by number. */
  written: string[];
}

/** Shortens images as browsers and mail programs copy them, wherever they are named: nobody knows yet what becomes an image. */
export function shorten(source: string): Shortened {
  const begin = `/pasted-${Math.random().toString(36).slice(2)}/`;
  const written: string[] = [];
  return { source: source.replace(WRITTEN, (whole) => `${begin}${written.push(whole) - 1}/`), begin, written };
}

/** Pasted HTML with the images that it contains. */
export interface WithImages {
  /** The HTML as it came, with an address of this paste in place of each image that is taken. */
  html: string;
  images: Map<string, File>;
  /** How many are written in a way that nobody can read. */
  unfit: number;
  /** The number of images that were refused, because there are too many or they are too large. */
  tooMany: number;
}

/**
 * Takes out the images that HTML shows; all else that was shortened is again what it was, such as code that is about one.
 * @param html clean, and made of what was shortened
 */
export function takeImages(html: string, { begin, written }: Pick<Shortened, "begin" | "written">): WithImages {
  const images = new Map<string, File>();
  const left = { unfit: 0, tooMany: 0 };
  if (written.length === 0) return { html, images, ...left };
  const short = new RegExp(`${begin}(\\d+)/`, "g");
  const asWritten = (text: string) => text.replace(short, (_, number: string) => written[Number(number)] ?? "");
  let taken = 0;
  let together = 0;
  /** @returns why not */
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

/** @returns null where it is no base64 */
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
