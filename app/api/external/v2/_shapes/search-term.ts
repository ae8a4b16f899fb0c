import { z } from "zod";

/** The text of a search (contract 2). */
export const SearchTerm = z.string().trim().max(200, { error: "Search term must have at most 200 characters." });
