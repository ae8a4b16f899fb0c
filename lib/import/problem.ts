export interface Problem {
  path: string;
  /** Counted from 1; absent when it concerns the whole file. */
  line?: number;
  message: string;
}

export class FileError extends Error {
  override name = "FileError";
  readonly line?: number;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
