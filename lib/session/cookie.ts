/** The name of the cookie that carries a session; on https a prefix stands before it. */
export const SESSION_COOKIE = "lectern-session";
/** The name of the cookie by which a browser is known as one that a member signed in with. It opens nothing. */
export const BROWSER_COOKIE = "lectern-browser";
