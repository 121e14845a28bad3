/** A test writes into the database itself, past the shop's acts and so past their signal: what is kept in memory must not outlive that. */
import type { KyselyPlugin } from 'kysely'
import { forgetKept } from '#app/platform/kept.server.ts'
import type { Live } from '#app/platform/live.server.ts'

export const writesNoticed = (live: Live): KyselyPlugin => {
  const writes = new WeakSet<object>()
  return {
    transformQuery({ node, queryId }) {
      if (node.kind !== 'SelectQueryNode') writes.add(queryId)
      return node
    },
    async transformResult({ result, queryId }) {
      if (writes.has(queryId)) forgetKept(live)
      return result
    },
  }
}
