import { looksLikeLink } from "@/lib/members/names";
import type { Operation, Schema } from "./document";
import type { Draw } from "./draw";
import { type Body, type Verdict, type Verdicts, worst } from "./sample";
import { aText } from "./texts";
import type { Workspace } from "./world";

/** A field's value as JSON, and the contract's verdict on it. */
interface Value {
  json: string;
  verdict: Verdict;
}

const zones = ["UTC", "Europe/Berlin", "Asia/Kolkata", "America/Argentina/Buenos_Aires", "Pacific/Kiritimati"];
const noZones = ["+02:00", "Mars/Phobos", "", "Europe", "Europe/Berlin/x", "../Europe/Berlin", "1", "🎉"];
const noEmails = [
  "", " ", "x", "@", "a@", "@b.example", "a b@example.com", "a@b@c.example", "a@example..com", "a@.example", "a\u0000@example.com",
  "a@example.com\nBcc: b@example.com", "<a@example.com>", `${"a".repeat(250)}@example.com`, "a@-example.com", "mailto:a@example.com",
]; // biome-ignore format: a list reads best as lines
/** Values with a type that no field has. */
const otherTypes = ["null", "[]", "{}", "[1]", '{"a":1}', "0", "-1", "1e999", "1e-7", "123456789012345678901234567890"];
/** Ignored when a member is updated, and otherwise refused (contract 31). */
const strangers = [
  '"id":"x"', '"profile_image_url":null', '"__proto__":{"active":false}', '"constructor":{"prototype":{"x":1}}', '"toString":1',
  '"workspace_id":"x"', '"password_hash":"x"', '"":1', '"\\u0000":"\\u0000"', '"\\ud800":"\\udfff"', '"email ":5', '"Email":5',
  '"n":1e400', '"n":-0', `"n":${"9".repeat(400)}`, '"created_at":"2020"', '"role_id":[[[]]]', '"hasOwnProperty":0', '"then":{}',
]; // biome-ignore format: a list reads best as lines

/** A name: at most 100 characters, none of them a control character, not blank, no link (contract 32). */
function aName(draw: Draw): Value {
  const text = draw.chance(0.1) ? draw.pick(["a", "é", "𠀀", "e\u0301"]).repeat(draw.int(40, 110)) : aText(draw, 110);
  const stored = text.trim().normalize("NFC");
  const units = Math.max(stored.length, text.trim().length);
  const isRefused = stored === "" || /\p{Cc}/u.test(stored) || looksLikeLink(stored);
  const verdict = isRefused ? "fail" : units > 100 ? "either" : "pass";
  if (verdict !== "fail" && draw.chance(0.03))
    return { json: `"${draw.pick(["\\ud800", "x\\udfffx"])}"`, verdict: "either" };
  return { json: JSON.stringify(text), verdict };
}

function aBadName(draw: Draw): string {
  const text = draw.pick([
    "",
    " ",
    "\t\n",
    "\u3000",
    "a\u0000b",
    "a\u0007b",
    "a\u0085b",
    "x".repeat(101),
    "x".repeat(10_000),
  ]);
  return JSON.stringify(text);
}

/** A value for a field: by name if the field has its own rules, otherwise by its schema. */
function aValue(draw: Draw, name: string, schema: Schema, own: Workspace, unique: string): Value {
  const json = JSON.stringify;
  if (name === "email" && draw.chance(0.15)) {
    const other = draw.pick([
      draw.pick(own.emails),
      "üser@example.com",
      "user@exämple.com",
      '"a b"@example.com',
      "a+b@[127.0.0.1]",
    ]);
    return { json: json(draw.chance(0.5) ? other : other.toUpperCase()), verdict: "either" };
  }
  if (name === "email")
    return { json: json(`${draw.pick(["a", "A.b", "a+b", "o'a"])}-${unique}@example.com`), verdict: "pass" };
  if (name === "time_zone") {
    return draw.chance(0.1)
      ? { json: json(draw.pick(["europe/berlin", "EST5EDT", "GMT+2", "Etc/GMT+2", " UTC", "Z"])), verdict: "either" }
      : { json: json(draw.pick(zones)), verdict: "pass" };
  }
  // The last administrator must stay one.
  if (isRole(name)) return { json: json(draw.pick(own.roles)), verdict: "either" };
  if (schema.type === "boolean") {
    const value = draw.chance(0.7);
    return { json: String(value), verdict: value ? "pass" : "either" };
  }
  if (name.endsWith("_name")) return aName(draw);
  return { json: json(schema.examples?.[0] ?? aText(draw)), verdict: "either" };
}

function aBadValue(draw: Draw, name: string, schema: Schema, own: Workspace): string {
  const json = JSON.stringify;
  if (draw.chance(0.4))
    return draw.pick(schema.type === "boolean" ? [...otherTypes, '"true"', '""'] : [...otherTypes, "true"]);
  if (name === "email") return json(draw.pick(noEmails));
  if (name === "time_zone") return json(draw.pick([...noZones, aText(draw).concat("/")]));
  if (isRole(name)) {
    const role = draw.pick(own.roles);
    return json(draw.pick(["", role.toUpperCase(), role.toLowerCase(), `${role}s`, aText(draw, 20).concat("!")]));
  }
  return schema.type === "boolean" ? '"true"' : aBadName(draw);
}

/** Whether the bad values of a field are known. */
const isKnown = (name: string, schema: Schema) =>
  ["email", "time_zone"].includes(name) || isRole(name) || name.endsWith("_name") || schema.type === "boolean";

const isRole = (name: string) => name === "role" || name === "organization_role";

/** Bytes that are not a JSON object (contract 28). */
function noObject(draw: Draw): Buffer {
  const text = draw.pick([
    "", " ", "null", "true", "1", '"x"', "[]", "[{}]", "{", "}", '{"a"}', "{a:1}", "{'a':1}", '{"a":1,}', '{"a":1}{"b":2}', '{"a":NaN}',
    '{"a":01}', '{"a":"\n"}', '{"a":"\\x"}', "<xml/>", "a=b&c=d", "undefined", "//\n{}", '{"a":1}x', '{"a":"\\u12"}', "[".repeat(30_000),
    '{"a":'.repeat(8_000), "\u0000", '{"a":1}\u0000', "--x\r\nContent-Disposition: form-data\r\n\r\n",
  ]); // biome-ignore format: a list reads best as lines
  return draw.pick([
    () => Buffer.from(text),
    () => Buffer.from(text),
    () =>
      Buffer.concat([
        Buffer.from('{"first_name":"'),
        draw.pick(["ff", "c328", "eda080", "f4908080", "c0af"].map(hex)),
        Buffer.from('"}'),
      ]),
    () => Buffer.from('{"first_name":"x"}', "utf16le"),
    () => Buffer.concat([hex("fe"), draw.bytes(draw.int(1, 500))]),
    () => hex("1f8b0800000000000003abae050043bfa6a302000000"),
  ])();
}

const hex = (digits: string) => Buffer.from(digits, "hex");

/** Ways for a body to be invalid: too large, not a JSON object, bad values. */
export type BodyFault = "size" | "json" | "validation";

/**
 * The body of a write.
 * @param unique makes the email unused so far
 */
export function aBody(
  draw: Draw,
  { fields = {}, requiredFields, isBodyOptional, bodyLimit: limit }: Operation,
  own: Workspace,
  unique: string,
  faults: readonly BodyFault[],
): { body: Body; verdicts: Verdicts; invalidFields: string[] } {
  const invalidFields: string[] = [];
  const members: string[] = [];
  let validation: Verdict = "pass";
  const wrong = faults.includes("validation") ? draw.some(Object.keys(fields), 1, 3) : [];
  for (const [name, schema] of Object.entries(fields)) {
    if (wrong.includes(name)) {
      members.push(`${JSON.stringify(name)}:${aBadValue(draw, name, schema, own)}`);
      if (isKnown(name, schema)) invalidFields.push(name);
      else validation = worst([validation, "either"]);
    } else if (requiredFields.includes(name) || draw.chance(0.3)) {
      const { json, verdict } = aValue(draw, name, schema, own, unique);
      members.push(`${JSON.stringify(name)}:${json}`);
      if (verdict === "fail") invalidFields.push(name);
      validation = worst([validation, verdict]);
    }
  }
  if (invalidFields.length > 0) validation = "fail";
  while (draw.chance(0.2)) members.push(draw.pick(strangers));
  if (draw.chance(0.02)) members.push(`"deep":${"[".repeat(20_000)}${"]".repeat(20_000)}`);
  // If two members share a name, JSON takes the last one.
  const twice = draw.chance(0.03) && members.length > 0;
  if (twice) members.push(`"first_name":"x","first_name":${draw.pick(['"y"', "5"])}`);
  const order = twice ? members : draw.some(members, members.length);
  const space = draw.pick(["", "", " ", "\r\n\t"]);
  let bytes: Buffer = Buffer.from(`{${space}${order.join(`${space},`)}${space}}`);

  if (faults.includes("json")) bytes = noObject(draw);
  const bom = draw.chance(0.02);
  if (bom) bytes = Buffer.concat([hex("efbbbf"), bytes]);
  if (faults.includes("size")) bytes = padded(bytes, limit + draw.pick([1, 1, 2, 1000, 300_000]));
  else if (draw.chance(0.03)) bytes = padded(bytes, limit - draw.pick([0, 0, 1, 2]));
  const chunks = draw.chance(0.3)
    ? Array.from({ length: draw.int(0, 8) }, () => draw.pick([1, 1, 2, 7, 100, 16_384]))
    : undefined;
  const isLeftOut = isBodyOptional && bytes.length === 0;
  const json = faults.includes("json") && !isLeftOut ? "fail" : bom ? "either" : "pass";
  return {
    body: { bytes, chunks },
    verdicts: {
      size: bytes.length > limit ? "fail" : "pass",
      json,
      validation: twice ? "either" : validation,
    },
    invalidFields: twice ? [] : invalidFields,
  };
}

/** Blanks after JSON are valid. */
function padded(bytes: Buffer, size: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(Math.max(0, size - bytes.length), " ")]);
}
