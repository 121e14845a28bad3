/** Queries that every page asks: their text is made once, and only the values change (040). */
import type { Compilable, CompiledQuery } from 'kysely'
import type { Db, Tx } from '#db/tables.ts'

/** What stands in place of the value of this number while the text is made; no column takes it for anything else. */
const mark = (at: number): string => `\0value ${at}`

/**
 * `build` is called once for each database, with marks in place of the values: it must put each of them into the query as it is, and decide
 * nothing by it.
 */
export function prepareQuery<Values extends string[], Row>(build: (db: Db | Tx, ...values: Values) => Compilable<Row>) {
  const made = new WeakMap<object, { query: CompiledQuery<Row>; places: (number | null)[] }>()
  function prepared(db: Db | Tx, count: number) {
    const marks = Array.from({ length: count }, (_none, at) => mark(at))
    const query = build(db, ...(marks as Values)).compile()
    const places = query.parameters.map((value) => (typeof value === 'string' && marks.includes(value) ? marks.indexOf(value) : null))
    const one = { query, places }
    made.set(db, one)
    return one
  }
  return async (db: Db | Tx, ...values: Values): Promise<Row[]> => {
    const { query, places } = made.get(db) ?? prepared(db, values.length)
    const parameters = places.map((place, at) => (place === null ? query.parameters[at] : values[place]))
    return (await db.executeQuery<Row>({ ...query, parameters })).rows
  }
}
