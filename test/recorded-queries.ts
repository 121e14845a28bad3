/** Writes down every query that a shop asks its database, as it is asked: what tests of query plans look at. */
import type { CompiledQuery, KyselyPlugin, QueryId } from 'kysely'
import type { Db } from '#db/schema.ts'

export type Recorded = { sql: string; parameters: readonly unknown[] }

/** The same database, and what it is asked from now on; `take` gives what came since it was called last. */
export function recordQueries(db: Db): { db: Db; take: () => Recorded[] } {
  let seen: Recorded[] = []
  const compiler = db.getExecutor()
  /** Parts of queries come by here as well; what is answered was asked as a whole. */
  const under = new WeakMap<QueryId, Recorded>()
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      const { sql, parameters }: CompiledQuery = compiler.compileQuery(node, queryId)
      under.set(queryId, { sql, parameters })
      return node
    },
    async transformResult({ queryId, result }) {
      const asked = under.get(queryId)
      if (asked) seen.push(asked)
      return result
    },
  }
  return {
    db: db.withPlugin(recorder),
    take() {
      const taken = seen
      seen = []
      return taken
    },
  }
}
