/** After the login, a visitor returns to an item page with her color, and from other pages to the home page. [S-017] */
export const loginPath = (from: string): string => (from.startsWith('/item/') ? `/login/?from=${encodeURIComponent(from)}` : '/login/')
