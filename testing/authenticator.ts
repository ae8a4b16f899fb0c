import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";

const FLAGS = { present: 1, verified: 4, canBackUp: 8, hasKey: 64 };

interface Lies {
  origin?: string;
  host?: string;
  type?: string;
  challenge?: string;
  /** The member that the answer names. */
  handle?: string;
  isVerified?: boolean;
  /** Whether the page is in a frame of another site. */
  crossOrigin?: boolean;
  /** A statement of the manufacturer. */
  statement?: { format: string; values: Map<string, string | Uint8Array | Uint8Array[] | number> };
}

/** A device with one passkey, which answers as a browser passes it on. It can lie about anything. */
export class TestAuthenticator {
  private readonly keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  private handle = "";
  readonly id: string;
  /** Of the last answer. */
  counter = 0;

  constructor(
    private readonly site: { origin: string; host: string },
    id: Buffer = randomBytes(32),
  ) {
    this.id = id.toString("base64url");
  }

  /** COSE-encoded. */
  get publicKey(): Uint8Array {
    const { x = "", y = "" } = this.keys.publicKey.export({ format: "jwk" });
    return isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, "base64url"))],
        [-3, new Uint8Array(Buffer.from(y, "base64url"))],
      ]),
    );
  }

  create({ challenge, user }: { challenge: string; user: { id: string } }, lies: Lies = {}): string {
    this.handle = user.id;
    const id = Buffer.from(this.id, "base64url");
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const data = Buffer.concat([this.data(FLAGS.hasKey, lies), Buffer.alloc(16), length, id, this.publicKey]);
    const attestation = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string | Uint8Array | Uint8Array[] | number>>([
        ["fmt", lies.statement?.format ?? "none"],
        ["attStmt", lies.statement?.values ?? new Map()],
        ["authData", new Uint8Array(data)],
      ]),
    );
    return this.answer({
      clientDataJSON: this.client("webauthn.create", challenge, lies).toString("base64url"),
      attestationObject: Buffer.from(attestation).toString("base64url"),
      transports: ["internal"],
    });
  }

  get({ challenge }: { challenge: string }, lies: Lies = {}): string {
    const client = this.client("webauthn.get", challenge, lies);
    const data = this.data(0, lies);
    const signed = Buffer.concat([data, createHash("sha256").update(client).digest()]);
    return this.answer({
      clientDataJSON: client.toString("base64url"),
      authenticatorData: data.toString("base64url"),
      signature: sign("sha256", signed, this.keys.privateKey).toString("base64url"),
      userHandle: lies.handle ?? this.handle,
    });
  }

  private client(type: string, challenge: string, lies: Lies): Buffer {
    const said = { type: lies.type ?? type, challenge: lies.challenge ?? challenge };
    return Buffer.from(
      JSON.stringify({ ...said, origin: lies.origin ?? this.site.origin, crossOrigin: lies.crossOrigin ?? false }),
    );
  }

  private data(flags: number, { host = this.site.host, isVerified = true }: Lies): Buffer {
    const all = flags | FLAGS.present | FLAGS.canBackUp | (isVerified ? FLAGS.verified : 0);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(all);
    rest.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash("sha256").update(host).digest(), rest]);
  }

  private answer(response: object): string {
    return JSON.stringify({ id: this.id, rawId: this.id, type: "public-key", clientExtensionResults: {}, response });
  }
}
