/** Dates of the authentication library, which are text in SQLite and dates in PostgreSQL; both make a Date. */

export const libraryTime = (date: unknown): number => new Date(date as string | Date).getTime()
