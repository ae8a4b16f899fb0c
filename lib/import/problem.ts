export interface Problem {
  path: string;
  /** From 1; absent for the whole file. */
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
