import { sql, type Compilable } from 'kysely'
import { expect, test } from 'vitest'
import { openTestShop } from '#test/open-test-shop.ts'

test('S-222 however much the shop keeps, what is one person’s is found by an index: the account page counts it at every look', async () => {
  const { db } = await openTestShop()
  const asked: Compilable[] = [
    db.selectFrom('favourites').select('itemId').where('userId', '=', 'ann'),
    db.selectFrom('messages').select('id').where('orderId', '=', 'ann'),
    db.selectFrom('messagePictures').select('messageId').where('orderId', '=', 'ann'),
    db.selectFrom('testimonies').select('testimony').where('writerId', '=', 'ann'),
    db.selectFrom('sales').select('itemName').where('buyerId', '=', 'ann'),
    db.selectFrom('session').select('userAgent').where('userId', '=', 'ann'),
    db.selectFrom('account').select('password').where('userId', '=', 'ann'),
    db.selectFrom('account').select('password').where('providerId', '=', 'google').where('accountId', '=', 'g-1'),
    db.selectFrom('addressProofs').select('email').where('userId', '=', 'ann'),
    db.selectFrom('audit').select('name').where('subject', 'in', ['ann', 'r-1']),
  ]
  for (const query of asked) {
    const { sql: text, parameters } = query.compile()
    const bound = parameters.reduce<string>((so, value) => so.replace('?', `'${String(value)}'`), text)
    const { rows } = await sql<{ detail: string }>`${sql.raw(`explain query plan ${bound}`)}`.execute(db)
    for (const { detail } of rows) expect(detail, text).toMatch(/^SEARCH /)
  }
})
