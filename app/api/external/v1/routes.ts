import { paths } from "./_document/operations";
import { GET as document } from "./openapi.json/route";

export const routes = { ...paths, "/openapi.json": document };
