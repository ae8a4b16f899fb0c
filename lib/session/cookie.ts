/** The name of the cookie that carries a session; on https a prefix stands before it. */
export const SESSION_COOKIE = "lectern-session";
