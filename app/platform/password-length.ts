/** How long a password may be (LOGIN-45); what else makes it fit, only the server looks at (fit-password.server.ts). */

export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** Longer than any password that the shop takes: not worth hashing. */
export const MOST_TYPED = 1000
