/** Where the code stands in a text of the outbox; the code itself is in the letter only. */
export const LETTER_CODE = '{code}'

/** The kind of letters whose text has a code in it; in any other the mark stands for itself. */
export const PROOF = 'proof'
