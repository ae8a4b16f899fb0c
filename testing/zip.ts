import { openPromise } from "yauzl";

/** The names and the text of the files in an archive, one after the other. */
export async function textsIn(path: string): Promise<string[]> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const texts: string[] = [];
  for await (const entry of zip.eachEntry()) {
    let text = entry.fileName;
    for await (const chunk of await zip.openReadStreamPromise(entry)) text += String(chunk);
    texts.push(text);
  }
  zip.close();
  return texts;
}
