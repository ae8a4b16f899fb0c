/** Playwright's launch options for a Chromium that is there, or was got. */
export function findBrowser(): Promise<{ executablePath: string; args: string[] }>;
