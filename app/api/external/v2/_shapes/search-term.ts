import { z } from "zod";

/** The text of a search (contract 2). */
export const SearchTerm = z.string().trim().max(200, { error: "Search term can have up to 200 characters." });
