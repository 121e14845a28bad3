import {
  OperationNodeTransformer,
  type KyselyPlugin,
  type PrimitiveValueListNode,
  type ValueNode,
} from 'kysely'
import { z } from 'zod'

const ENCODED = /^([0-9a-f]+)@encoded\.invalid$/
const isAccepted = (email: string) => z.email().safeParse(email).success && !ENCODED.test(email)

/** better-auth refuses international addresses and quoted ones, so it gets them encoded. [S-487] */
export const encodeEmail = (email: string) =>
  isAccepted(email) ? email : `${Buffer.from(email).toString('hex')}@encoded.invalid`

function decodeEmail<Value>(value: Value) {
  const encoded = typeof value === 'string' ? ENCODED.exec(value)?.[1] : undefined
  return encoded === undefined ? value : Buffer.from(encoded, 'hex').toString()
}

class EmailDecoder extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    return { ...node, value: decodeEmail(node.value) }
  }

  protected override transformPrimitiveValueList(
    node: PrimitiveValueListNode,
  ): PrimitiveValueListNode {
    return { ...node, values: node.values.map(decodeEmail) }
  }
}

/** Decodes the addresses in better-auth's queries, so that the database has the real addresses. */
export function decodesEmails(): KyselyPlugin {
  const decoder = new EmailDecoder()
  return {
    transformQuery: ({ node }) => decoder.transformNode(node),
    transformResult: async ({ result }) => result,
  }
}
