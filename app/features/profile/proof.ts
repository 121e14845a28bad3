/** How somebody who is signed in can prove once more that it is really them, before a sensitive act (S-015). */

/** `password`: by the password prompt. Without a password (Google): `fresh`, the log-in just now stands for it; `stale`, log in again first. */
export type ProofWay = 'password' | 'fresh' | 'stale'

/** How long a log-in stands for the password of an account that has none: milliseconds. */
export const FRESH_FOR = 10 * 60_000

export const STALE_LOGIN = 'Please log in again first: your last login is more than 10 minutes ago.'
