/** Something that a person should know about a file of the archive. */
export interface Problem {
  path: string;
  /** Counted from 1; absent when it concerns the whole file. */
  line?: number;
  message: string;
}

/** A file that cannot be imported; the others can. */
export class FileError extends Error {
  override name = "FileError";
  readonly line?: number;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
