/** Any part of an OpenAPI document: it is read key by key. */
type Node = Record<string, unknown>;

/** Which way a value goes: a client sends it, or is answered with it. */
type Way = "sent" | "answered";

/** One place of a document that a client may rely on, and what the document says of it. */
interface Place {
  way: Way;
  facts: Node;
}

/**
 * What a client of one OpenAPI document would miss in another that takes its place. Additions are fine (contract 64):
 * answers may get more fields and values, requests more that is optional. Compares what goes over the wire and the
 * names of operations; prose, examples and the names of components may change.
 * @param before the document that clients were written against
 * @returns one line a change, which begins with its place; empty when every client goes on working
 */
export function breakingChanges(before: object, after: object): string[] {
  const was = placesOf(before as Node);
  const is = placesOf(after as Node);
  const changes: string[] = [];
  for (const [place, { way, facts }] of was) {
    const now = is.get(place);
    if (now) {
      for (const fact of new Set([...Object.keys(facts), ...Object.keys(now.facts)])) {
        const change = changeOf(way, fact, facts[fact], now.facts[fact]);
        if (change) changes.push(`${place} ${change}`);
      }
    } else if (isThere(is, parentOf(place))) changes.push(`${place} is gone`);
  }
  for (const [place, { way, facts }] of is) {
    if (was.has(place) || !isThere(was, parentOf(place))) continue;
    if (way === "sent" && facts.required) changes.push(`${place} is new and required`);
  }
  return changes;
}

const separator = " › ";
const parentOf = (place: string) => place.split(separator).slice(0, -1).join(separator);
const isThere = (places: Map<string, Place>, place: string) => place === "" || places.has(place);

/** Every place of a document by its name, such as "GET /articles › 200 › application/json › articles › [] › slug". */
function placesOf(document: Node): Map<string, Place> {
  const places = new Map<string, Place>();
  const under = (place: string, part: string) => place + separator + part;

  const addSchema = (place: string, way: Way, given: unknown, required: unknown, chain: string[] = []) => {
    const schema = resolved(document, given);
    const { properties, items, required: names, ...facts } = schema;
    places.set(place, { way, facts: { ...facts, required: Boolean(required) } });
    const { $ref } = (given ?? {}) as Node;
    // A schema that holds itself: its places are there already, further up.
    if (typeof $ref === "string" && chain.includes($ref)) return;
    const inner = typeof $ref === "string" ? [...chain, $ref] : chain;
    for (const [name, field] of entries(properties)) {
      addSchema(under(place, name), way, field, (names as string[] | undefined)?.includes(name), inner);
    }
    if (items) addSchema(under(place, "[]"), way, items, false, inner);
  };
  const addContent = (place: string, way: Way, content: unknown) => {
    for (const [type, media] of entries(content)) addSchema(under(place, type), way, media.schema, false);
  };

  for (const [path, methods] of entries(document.paths)) {
    for (const [method, operation] of entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const { operationId, security = document.security } = operation;
      places.set(name, { way: "answered", facts: { operationId, security } });
      for (const given of (operation.parameters ?? []) as unknown[]) {
        const parameter = resolved(document, given);
        const place = under(name, `${String(parameter.in)} ${String(parameter.name)}`);
        addSchema(place, "sent", parameter.schema, parameter.required);
      }
      if (operation.requestBody) {
        const body = resolved(document, operation.requestBody);
        places.set(under(name, "body"), { way: "sent", facts: { required: body.required } });
        addContent(under(name, "body"), "sent", body.content);
      }
      for (const [status, given] of entries(operation.responses)) {
        const response = resolved(document, given);
        const place = under(name, status);
        places.set(place, { way: "answered", facts: {} });
        for (const [header, described] of entries(response.headers)) {
          const { schema, required } = resolved(document, described);
          addSchema(under(place, header), "answered", schema, required);
        }
        addContent(place, "answered", response.content);
      }
    }
  }
  return places;
}

function entries(node: unknown): [string, Node][] {
  return Object.entries((node ?? {}) as Record<string, Node>);
}

function resolved(document: Node, given: unknown): Node {
  const { $ref } = (given ?? {}) as Node;
  if (typeof $ref !== "string") return (given ?? {}) as Node;
  const parts = $ref.slice("#/".length).split("/");
  return resolved(
    document,
    parts.reduce<unknown>((node, part) => (node as Node)[part.replace(/~1/g, "/").replace(/~0/g, "~")], document),
  );
}

const prose = new Set(["description", "title", "examples", "example", "deprecated"]);
const say = (value: unknown) => (value === undefined ? "none" : JSON.stringify(value));
const lists = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

/** What a fact's change takes from a client, null when it takes nothing. */
function changeOf(way: Way, fact: string, old: unknown, now: unknown): string | null {
  if (prose.has(fact) || JSON.stringify(old) === JSON.stringify(now)) return null;
  const sent = way === "sent";
  const both = `${say(now)}, was ${say(old)}`;
  switch (fact) {
    case "required":
      if (sent) return now ? "has become required" : null;
      return now ? null : "may be absent now";
    case "type": {
      // Of what is sent every type must still be accepted; of what is answered there may be no new one.
      const [fixed, others] = sent ? [old, now] : [now, old];
      return lists(fixed).every((type) => lists(others).includes(type)) ? null : `has the type ${both}`;
    }
    case "enum": {
      if (sent && old === undefined) return `must be one of ${JSON.stringify(now)} now`;
      const gone = now === undefined ? [] : lists(old).filter((value) => !lists(now).includes(value));
      return gone.length > 0 ? `does not know ${gone.map((value) => JSON.stringify(value)).join(", ")} any more` : null;
    }
    case "minimum":
    case "minLength":
    case "minItems":
      return sent && Number(now) > Number(old ?? Number.NEGATIVE_INFINITY) ? `has the ${fact} ${both}` : null;
    case "maximum":
    case "maxLength":
    case "maxItems":
      return sent && Number(now) < Number(old ?? Number.POSITIVE_INFINITY) ? `has the ${fact} ${both}` : null;
    case "pattern":
    case "format":
      // A form may be given up for what is sent, and added to what is answered.
      return (sent ? now : old) === undefined ? null : `has the ${fact} ${both}`;
    case "default":
      return old === undefined ? null : `has the default ${both}`;
    default:
      // Whatever else there is, such as anyOf or security, is not understood well enough to call a change harmless.
      return `has the ${fact} ${both}`;
  }
}
