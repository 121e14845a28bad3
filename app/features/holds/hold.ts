/** The owner can hold an item for at most this many days. */
export const MAX_HOLD_DAYS = 365
