type Json = Record<string, unknown>;

type Direction = "request" | "answer";

interface Node {
  direction: Direction;
  facts: Json;
}

/**
 * The changes between two OpenAPI documents that break clients. Additions do not (contract 64): new fields and values in
 * answers, new optional fields in requests. Prose, examples and component names may change too.
 * @returns one line per change, which begins with its path, or empty when all clients keep working
 */
export function breakingChanges(before: object, after: object): string[] {
  const oldNodes = nodesOf(before as Json);
  const newNodes = nodesOf(after as Json);
  const changes: string[] = [];
  for (const [path, { direction, facts }] of oldNodes) {
    const node = newNodes.get(path);
    if (node) {
      for (const fact of new Set([...Object.keys(facts), ...Object.keys(node.facts)])) {
        const change = changeOf(direction, fact, facts[fact], node.facts[fact]);
        if (change) changes.push(`${path} ${change}`);
      }
    } else if (exists(newNodes, parentOf(path))) changes.push(`${path} is gone`);
  }
  for (const [path, { direction, facts }] of newNodes) {
    if (oldNodes.has(path) || !exists(oldNodes, parentOf(path))) continue;
    if (direction === "request" && facts.required) changes.push(`${path} is new and required`);
  }
  return changes;
}

const separator = " › ";
const parentOf = (path: string) => path.split(separator).slice(0, -1).join(separator);
const exists = (nodes: Map<string, Node>, path: string) => path === "" || nodes.has(path);

/** Every node by its path, such as "GET /articles › 200 › application/json › articles › [] › slug". */
function nodesOf(document: Json): Map<string, Node> {
  const nodes = new Map<string, Node>();
  const under = (path: string, name: string) => path + separator + name;

  const addSchema = (path: string, direction: Direction, schema: unknown, required: unknown, chain: string[] = []) => {
    const { properties, items, required: names, ...facts } = resolved(document, schema);
    nodes.set(path, { direction, facts: { ...facts, required: Boolean(required) } });
    const { $ref } = (schema ?? {}) as Json;
    // A recursive schema: its nodes are already there, further up.
    if (typeof $ref === "string" && chain.includes($ref)) return;
    const inner = typeof $ref === "string" ? [...chain, $ref] : chain;
    for (const [name, field] of entries(properties)) {
      addSchema(under(path, name), direction, field, (names as string[] | undefined)?.includes(name), inner);
    }
    if (items) addSchema(under(path, "[]"), direction, items, false, inner);
  };
  const addContent = (path: string, direction: Direction, content: unknown) => {
    for (const [type, media] of entries(content)) addSchema(under(path, type), direction, media.schema, false);
  };

  for (const [path, methods] of entries(document.paths)) {
    for (const [method, operation] of entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const { operationId, security = document.security } = operation;
      nodes.set(name, { direction: "answer", facts: { operationId, security } });
      for (const reference of (operation.parameters ?? []) as unknown[]) {
        const parameter = resolved(document, reference);
        const parameterPath = under(name, `${String(parameter.in)} ${String(parameter.name)}`);
        addSchema(parameterPath, "request", parameter.schema, parameter.required);
      }
      if (operation.requestBody) {
        const body = resolved(document, operation.requestBody);
        nodes.set(under(name, "body"), { direction: "request", facts: { required: body.required } });
        addContent(under(name, "body"), "request", body.content);
      }
      for (const [status, reference] of entries(operation.responses)) {
        const response = resolved(document, reference);
        const statusPath = under(name, status);
        nodes.set(statusPath, { direction: "answer", facts: {} });
        for (const [header, headerReference] of entries(response.headers)) {
          const { schema, required } = resolved(document, headerReference);
          addSchema(under(statusPath, header), "answer", schema, required);
        }
        addContent(statusPath, "answer", response.content);
      }
    }
  }
  return nodes;
}

function entries(json: unknown): [string, Json][] {
  return Object.entries((json ?? {}) as Record<string, Json>);
}

function resolved(document: Json, reference: unknown): Json {
  const { $ref } = (reference ?? {}) as Json;
  if (typeof $ref !== "string") return (reference ?? {}) as Json;
  const parts = $ref.slice("#/".length).split("/");
  return resolved(
    document,
    parts.reduce<unknown>((json, part) => (json as Json)[part.replace(/~1/g, "/").replace(/~0/g, "~")], document),
  );
}

const prose = new Set(["description", "title", "examples", "example", "deprecated"]);
const say = (value: unknown) => (value === undefined ? "none" : JSON.stringify(value));
const lists = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);

function changeOf(direction: Direction, fact: string, old: unknown, now: unknown): string | null {
  if (prose.has(fact) || JSON.stringify(old) === JSON.stringify(now)) return null;
  const sent = direction === "request";
  const both = `${say(now)}, was ${say(old)}`;
  switch (fact) {
    case "required":
      if (sent) return now ? "has become required" : null;
      return now ? null : "may be absent now";
    case "type": {
      // Requests must still accept every old type. Answers must not have new types.
      const [fixed, others] = sent ? [old, now] : [now, old];
      return lists(fixed).every((type) => lists(others).includes(type)) ? null : `has the type ${both}`;
    }
    case "enum": {
      if (sent && old === undefined) return `must be one of ${JSON.stringify(now)} now`;
      const gone = now === undefined ? [] : lists(old).filter((value) => !lists(now).includes(value));
      return gone.length > 0 ? `no longer accepts ${gone.map((value) => JSON.stringify(value)).join(", ")}` : null;
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
      // Requests may drop a pattern, and answers may add one.
      return (sent ? now : old) === undefined ? null : `has the ${fact} ${both}`;
    case "default":
      return old === undefined ? null : `has the default ${both}`;
    default:
      // Changes of other keywords, such as anyOf or security, may not be harmless.
      return `has the ${fact} ${both}`;
  }
}
