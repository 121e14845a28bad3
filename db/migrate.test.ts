import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, onTestFinished, test } from 'vitest'
import { listAllRows } from '#test/all-rows.ts'
import { createDatabase, dropDatabase } from '#test/postgres-databases.ts'
import { openPostgres, openSqliteDatabase, type Database } from '#app/platform/db.server.ts'
import { DatabaseSync } from 'node:sqlite'
import { migrate, migrations } from './migrate.ts'

async function openEmpty(folder: string): Promise<Database> {
  if (process.env.TEST_DATABASE !== 'postgres') return openSqliteDatabase(folder)
  const name = `old_${randomBytes(6).toString('hex')}`
  const database = openPostgres(await createDatabase(name))
  const close = async () => {
    await database.close()
    await dropDatabase(name)
  }
  return { ...database, close }
}

/** Brought up to before the migration of this number. */
async function bringUpTo({ db, dialect }: Database, number: string): Promise<void> {
  const old = Object.fromEntries(Object.entries(migrations(dialect)).filter(([name]) => name < number))
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => old } }).migrateToLatest()
  if (error) throw error
}

async function openOlder(number: string): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const database = await openEmpty(folder)
  onTestFinished(database.close)
  await bringUpTo(database, number)
  return database
}

/** The shape of the first version that was given away, with a row in each table, as that version wrote them. */
async function fillOld(database: Database): Promise<void> {
  await bringUpTo(database, '008')
  const { db, dialect } = database
  const [no, yes, at] = dialect === 'postgres' ? [false, true, new Date(0)] : [0, 1, new Date(0).toISOString()]
  const rows: [table: string, ...rows: Record<string, unknown>[]][] = [
    ['user', { id: 'ann', name: 'Ann', email: 'ann@mail.test', emailVerified: yes, isAnonymous: no, createdAt: at, updatedAt: at }],
    ['account', { id: 'a1', accountId: 'ann', providerId: 'credential', userId: 'ann', password: 'x:y', createdAt: at, updatedAt: at }],
    ['session', { id: 's1', token: 't1', userId: 'ann', expiresAt: at, createdAt: at, updatedAt: at }],
    ['verification', { id: 'v1', identifier: 'reset', value: 'ann', expiresAt: at, createdAt: at, updatedAt: at }],
    ['pictures', { id: 'p1', path: 'items/bags/p1.webp', width: 900, height: 600, widths: '[240]', placeholder: 'data:,', createdAt: 5 }],
    ['categories', { id: 'bags', title: 'Bags', color: '#c98a5e', pictureId: 'p1', position: 3, createdAt: 6, firstCreatedAt: 1 }],
    [
      'colors',
      { id: 'teal', name: 'Deep_teal', pictureId: 'p1', discountType: 'amount', discountValue: 250, createdAt: 6, firstCreatedAt: 1 },
    ],
    [
      'items',
      {
        ...{ id: 'moon', name: 'Moön bag', categoryId: 'bags', priceCents: 4850, description: 'Soft', width: '20 cm', soleType: 'flat' },
        ...{ size: 'M', discountType: 'percent', discountValue: 1250, createdAt: 7, firstCreatedAt: 2 },
      },
    ],
    ['itemPictures', { id: 'ip1', itemId: 'moon', pictureId: 'p1', position: 0, isAvailable: 0 }],
    ['itemPictureColors', { itemPictureId: 'ip1', colorId: 'teal' }],
    ['showcase', { id: 'sh1', title: 'Bags', pictureId: 'p1', categoryId: 'bags', deg: 45, position: 1 }],
    ['favourites', { userId: 'ann', itemId: 'moon', createdAt: 8 }],
    [
      'orders',
      {
        id: 'ann',
        userId: 'ann',
        userName: 'Ann',
        userEmail: 'ann@mail.test',
        userPhotoURL: '',
        lastSeq: 1,
        createdAt: 9,
        firstCreatedAt: 9,
      },
    ],
    ['orderItems', { orderId: 'ann', itemId: 'moon', name: 'Moön bag', priceCents: 4850, isSold: 1, position: 0 }],
    ['messages', { orderId: 'ann', seq: 1, id: 'm1', message: 'Is it free?', sender: 'ann', createdAt: 9 }],
    ['readMarks', { orderId: 'ann', reader: 'owner', seq: 1 }],
    [
      'sales',
      {
        ...{ id: 'sale1', buyerId: 'ann', buyerName: 'Ann', buyerEmail: 'ann@mail.test', buyerPhotoURL: '', itemId: 'moon' },
        ...{ itemName: 'Moön bag', itemPriceCents: 4850, salePriceCents: 4244, receiptTag: 'TAG', createdAt: 10 },
      },
    ],
    [
      'testimonies',
      {
        id: 'te1',
        receiptTag: 'TAG',
        writerId: 'ann',
        writerName: 'Ann',
        writerEmail: '',
        writerPhotoURL: '',
        testimony: 'Fine',
        createdAt: 11,
      },
    ],
    ['testimonyItems', { testimonyId: 'te1', position: 0, itemId: 'moon', name: 'Moön bag', priceCents: 4850, salePriceCents: 4244 }],
    ['outbox', { id: 'o1', kind: 'contact', toAddress: 'x@y.test', subject: 'Hello', text: 'You', createdAt: 12, nextAttemptAt: 12 }],
    [
      'audit',
      { at: 13, actor: 'owner', act: 'sale-completed', subject: 'order:ann', detail: '{"salePriceCents":4244}' },
      { at: 14, actor: 'owner', act: 'update-item', subject: 'moon', detail: '{"name":"Moön bag"}' },
      { at: 15, actor: 'owner', act: 'testimony-hide', subject: 'testimony:te1', detail: 'no json' },
    ],
    ['settings', { key: 'city', value: '"Asheville"', updatedAt: 16 }],
  ]
  for (const [table, ...all] of rows)
    for (const row of all)
      await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(row).map((name) => sql.ref(name)))})
        values (${sql.join(Object.values(row))})`.execute(db)
}

test('an old shop is brought up to date: every row and every value stays, new columns have theirs, and a copy of before is kept', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'old-shop-'))
  const database = await openEmpty(folder)
  onTestFinished(async () => {
    await database.close()
    await rm(folder, { recursive: true, force: true })
  })
  const { db, dialect, backUp } = database
  await fillOld(database)
  const before = await listAllRows(db)

  let copies = 0
  const migrated = await migrate(db, dialect, async () => {
    copies++
    await backUp()
  })

  expect([copies, migrated[0], migrated.length]).toEqual([1, '008-pictures', Object.keys(migrations(dialect)).length - 7])
  const after = await listAllRows(db)
  for (const [table, rows] of Object.entries(before)) {
    expect(rows.length, table).toBeGreaterThan(0)
    if (table !== 'audit') expect(after[table], table).toEqual(rows.map((row) => expect.objectContaining(row)))
  }
  // Acts have new names and say what they were about; when they were and what they say stays.
  expect(after.audit).toEqual([
    expect.objectContaining({ ...before.audit![0], act: 'complete-sale', subject: 'ann', name: 'Ann', words: 'ann' }),
    expect.objectContaining({ ...before.audit![1], name: 'Moön bag', words: 'moon bag' }),
    expect.objectContaining({ ...before.audit![2], act: 'hide-testimony', subject: 'te1', name: 'Ann', words: 'ann' }),
  ])
  // Pictures of before wait for their AVIF; an open form of before is taken.
  expect(after.pictures).toMatchObject([{ state: 'waiting', attempts: 0, nextAttemptAt: 0 }])
  expect(after.items).toMatchObject([{ revision: 1 }])
  // A sale of before gets the category of its piece; requests of before are not made up (S-197).
  expect(after.sales).toMatchObject([{ categoryId: 'bags', categoryTitle: 'Bags' }])
  expect(after.requests).toEqual([])
  expect(await migrate(db, dialect, () => expect.fail('nothing to copy'))).toEqual([])

  if (dialect === 'postgres') return
  const [name, ...others] = await readdir(join(folder, 'backups'))
  expect(others).toEqual([])
  const copy = new DatabaseSync(join(folder, 'backups', name!), { readOnly: true })
  expect(
    copy
      .prepare('select act, subject from audit order by seq')
      .all()
      .map((row) => ({ ...row })),
  ).toEqual(before.audit!.map(({ act, subject }) => ({ act, subject })))
  expect(copy.prepare('select * from items').get()).toEqual(expect.not.objectContaining({ revision: 1 }))
  copy.close()
})

test('S-178 migration 017 moves the marks of those who had read all but their own messages, and no other', async () => {
  const { db, dialect } = await openOlder('017')
  const said = { answered: ['c', 'o', 'o'], asked: ['c', 'o', 'c'], unread: ['c', 'c', 'o'], read: ['c', 'o', 'c'] }
  for (const [orderId, senders] of Object.entries(said)) {
    const user = { userName: '', userEmail: '', userPhotoURL: '' }
    await db
      .insertInto('orders')
      .values({ id: orderId, ...user, isClosed: 0, fromContactPage: 0, lastSeq: 3, createdAt: 1, firstCreatedAt: 1 } as never)
      .execute()
    for (const [at, sender] of senders.entries())
      await db
        .insertInto('messages')
        .values({ orderId, seq: at + 1, id: `m${at}`, message: '', sender, createdAt: 1 })
        .execute()
    await db
      .insertInto('readMarks')
      .values({ orderId, reader: 'o', seq: orderId === 'read' ? 3 : 1 })
      .execute()
  }

  await migrate(db, dialect)

  const marks = await db.selectFrom('readMarks').select(['orderId', 'seq']).orderBy('orderId').execute()
  expect(Object.fromEntries(marks.map(({ orderId, seq }) => [orderId, seq]))).toEqual({ answered: 3, asked: 1, read: 3, unread: 1 })
})

test('migration 033 keeps the first of what two visits at once wrote twice, and no other can follow', async () => {
  const { db, dialect } = await openOlder('033')
  const at = (second: number) => (dialect === 'postgres' ? new Date(second * 1000) : new Date(second * 1000).toISOString()) as never
  const [no, yes] = (dialect === 'postgres' ? [false, true] : [0, 1]) as [never, never]
  const person = { emailVerified: yes, isAnonymous: no, createdAt: at(0), updatedAt: at(0) }
  for (const id of ['ann', 'bea'])
    await db
      .insertInto('user')
      .values({ id, name: id, email: `${id}@mail.test`, ...person })
      .execute()
  const account = (id: string, userId: string, providerId: string, accountId: string, second: number) =>
    db
      .insertInto('account')
      .values({ id, userId, providerId, accountId, createdAt: at(second), updatedAt: at(second) })
      .execute()
  await account('later', 'ann', 'google', 'g-1', 2)
  await account('first', 'ann', 'google', 'g-1', 1)
  await account('same', 'ann', 'google', 'g-1', 1)
  await account('other', 'bea', 'google', 'g-2', 1)
  await account('elsewhere', 'bea', 'oidc', 'g-1', 3)

  await migrate(db, dialect)

  const kept = await db.selectFrom('account').select('id').orderBy('id').execute()
  expect(kept.map(({ id }) => id)).toEqual(['elsewhere', 'first', 'other'])
  await expect(account('again', 'bea', 'google', 'g-1', 4)).rejects.toThrow()
})
