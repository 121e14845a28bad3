/** A visitor who came from an item page returns to this page after the login, with the color that she selected. All other visitors go to the home page. [S-017] */
export const loginPath = (from: string): string => (from.startsWith('/item/') ? `/login/?from=${encodeURIComponent(from)}` : '/login/')
