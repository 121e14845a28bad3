/** What a person's name may be long: under Account, from a provider, and in the table whatever writes it (S-217). */
export const LONGEST_NAME = 80

export const SHORTEST_PASSWORD = 8
export const LONGEST_PASSWORD = 128

/** Longer than any password that the shop takes: not worth hashing. */
export const MOST_TYPED = 1000
