import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A TCP proxy that can turn into a black hole. */
export interface Proxy {
  port: number;
  /** Forwards nothing and closes nothing, on open and new connections. */
  hold: () => void;
  /** Forwards again, also what was sent meanwhile. */
  resume: () => void;
  /** Closes open connections, even while data is on its way. */
  cut: () => void;
  /** Forwards new connections. Neither end of the open ones hears that they are lost. */
  forget: () => void;
  close: () => void;
}

/** @param target gives the port of this machine that it forwards to */
export async function aProxy(target: () => number): Promise<Proxy> {
  let open: Connection[] = [];
  let forgotten: Connection[] = [];
  let holds = false;
  const close = (some: Connection[]) => {
    for (const one of some.splice(0)) one.close();
  };
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    const connection = new Connection(socket, target);
    open = [...open.filter((one) => !one.isClosed), connection];
    if (!holds) connection.forward();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    hold() {
      holds = true;
      // PostgreSQL accepts only so many connections.
      close(forgotten);
      for (const one of open) one.hold();
    },
    resume() {
      holds = false;
      for (const one of open) one.forward();
    },
    cut: () => close(open),
    forget() {
      holds = false;
      forgotten = open.splice(0);
    },
    close() {
      server.close();
      close(open);
      close(forgotten);
    },
  };
}

class Connection {
  #to: Socket | undefined;
  #isHeld = false;

  constructor(
    private readonly from: Socket,
    private readonly target: () => number,
  ) {
    this.#listen(from);
  }

  get isClosed(): boolean {
    return this.from.destroyed;
  }

  forward(): void {
    this.#isHeld = false;
    if (this.from.destroyed || this.#to?.destroyed) return this.close();
    const to = (this.#to ??= this.#listen(connect(this.target(), "127.0.0.1")));
    this.from.pipe(to).pipe(this.from);
  }

  hold(): void {
    this.#isHeld = true;
    for (const one of [this.from, this.#to]) one?.unpipe().pause();
  }

  close(): void {
    this.from.destroy();
    this.#to?.destroy();
  }

  #listen(socket: Socket): Socket {
    return socket
      .setNoDelay()
      .on("error", () => {})
      .on("close", () => this.#isHeld || this.close());
  }
}
