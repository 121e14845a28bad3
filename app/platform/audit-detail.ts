export type Detail = Readonly<Record<string, unknown>>

export const isDetail = (value: unknown): value is Detail => typeof value === 'object' && value !== null && !Array.isArray(value)

/** What the owner can do. The history, which has a sentence for each act, adds their names. */
export interface Acts {}
