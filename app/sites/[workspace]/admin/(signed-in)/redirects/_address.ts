/** Whether the typed destination is a path or URL. Other text is searched for. */
export const isAddress = (typed: string) => /^(\/|[a-z][a-z\d+.-]*:)/i.test(typed);
