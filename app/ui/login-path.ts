/** A visitor who came from an item page returns to it, with her color, after the login. All other visitors come to the home page. [S-017] */
export const loginPath = (from: string): string => (from.startsWith('/item/') ? `/login/?from=${encodeURIComponent(from)}` : '/login/')
