/** How many images are taken out of one paste, and how many characters one may have, which are 20 MB. */
const MOST = { images: 20, characters: 27_000_000 };

/** Images that can be stored, as they stand in the addresses of HTML and of Markdown. */
const IMAGE = [
  /(<img\b(?:[^>"']|"[^"]*"|'[^']*')*?\ssrc\s*=\s*["']?)data:(image\/(?:png|jpeg|gif|webp|avif));base64,([\w+/=%-]*)/gi,
  /(!\[[^\]\n]*\]\(<?)data:(image\/(?:png|jpeg|gif|webp|avif));base64,([\w+/=%-]*)/gi,
];

/** What is pasted, with images that it holds itself. */
export interface WithImages {
  /** The same HTML or Markdown, with an address of this paste in place of each image. */
  source: string;
  images: Map<string, File>;
  /** How many were not taken, since they are more or larger than is taken at once. */
  tooMany: number;
}

/** Takes out the images that are written out in their addresses, as browsers and mail programs copy them. */
export function takeImages(source: string): WithImages {
  const images = new Map<string, File>();
  let tooMany = 0;
  const paste = Math.random().toString(36).slice(2);
  const take = (whole: string, before: string, type: string, content: string) => {
    if (images.size >= MOST.images || content.length > MOST.characters) {
      tooMany++;
      return before;
    }
    const bytes = bytesOf(content);
    if (!bytes) return whole;
    const address = `/pasted-${paste}-${images.size}`;
    const name = `image-${images.size + 1}.${type.slice("image/".length).replace("jpeg", "jpg")}`;
    images.set(address, new File([bytes], name, { type }));
    return before + address;
  };
  const taken = IMAGE.reduce((text, image) => text.replace(image, take), source);
  return { source: taken, images, tooMany };
}

/** @returns null where it is no base64 */
function bytesOf(content: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(decodeURIComponent(content)), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
