/** Where the code stands in a text of the outbox; the code itself is in the letter only. */
export const LETTER_CODE = '{code}'
