import { GET as document } from "./openapi.json/route";
import { paths } from "./operations";

/** Every path that the version answers: its operations, and the document that describes them. */
export const routes = { ...paths, "/openapi.json": document };
