import type { KyselyPlugin, SelectType } from 'kysely'
import type { Tables } from './schema.ts'

type BooleanColumnOf<Table> = {
  [Column in keyof Table]: SelectType<Table[Column]> extends boolean ? Column : never
}[keyof Table]
type BooleanColumn = { [Name in keyof Tables]: BooleanColumnOf<Tables[Name]> }[keyof Tables]

const booleanColumns = Object.keys({
  fromContactPage: true,
  isAvailable: true,
  isClosed: true,
  isHidden: true,
  isLowOnStock: true,
  isOffered: true,
  isShipped: true,
  isSold: true,
  isValidated: true,
  showOnPage: true,
} satisfies Record<BooleanColumn, true>)

/**
 * Both databases store 0 and 1, so that they share SQL. Drivers convert the parameters of queries.
 */
export const booleanResults: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const [first] = result.rows
    if (!first) return result
    const columns = booleanColumns.filter((column) => column in first)
    for (const row of columns.length > 0 ? result.rows : []) {
      for (const column of columns) {
        if (typeof row[column] === 'number') row[column] = row[column] !== 0
      }
    }
    return result
  },
}
