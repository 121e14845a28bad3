/** What a person's name may be long: under Account, from a provider, and in the table whatever writes it (S-217). */
export const LONGEST_NAME = 80
