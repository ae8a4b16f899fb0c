/** The cookie that remembers a drawer in this browser, so that the server renders the page as it was left. */
export const drawerCookie = (id: string) => `drawer_${id}`;
