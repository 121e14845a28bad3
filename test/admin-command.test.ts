// The command npm run admin, as a process of its own beside a shop that is open.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import type { Db } from '#db/schema.ts'
import { createRequestHandler } from '#server/request-handler.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { ensureOwner, openAuth } from '#app/platform/auth.server.ts'
import { openSqliteDatabase } from '#app/lib/db/database.server.ts'
import { openPostgres } from '#app/lib/db/postgres.server.ts'
import { openLive } from '#app/platform/live.server.ts'
import { newFolder } from './moving-shops.ts'
import { openTestShop, ORIGIN, OWNER } from './open-test-shop.ts'
import { person } from './person.ts'
import { createDatabase, dropDatabase } from './postgres-databases.ts'
import { rememberedPasswords } from './remembered-passwords.ts'
import { runCommand } from './run-command.ts'
import { openTotpApp, turnOnSecondFactor } from './totp-app.ts'

/** A shop in a file, or in PostgreSQL, that another process can open too. */
async function openShopForTwo() {
  const dataDir = join(await newFolder(), 'data')
  await mkdir(dataDir)
  const name = `two_${randomBytes(6).toString('hex')}`
  const url = process.env.TEST_DATABASE === 'postgres' ? await createDatabase(name) : null
  const database = url ? openPostgres(url) : openSqliteDatabase(dataDir)
  onTestFinished(async () => {
    await database.close()
    if (url) await dropDatabase(name)
  })
  const { db, dialect } = database
  return {
    db,
    dataDir,
    run: (...args: string[]) => runCommand('admin', args, { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) }),
    /** Somebody who signs in as the owner, at the shop that is open all the time. */
    async open() {
      await migrate(db, dialect)
      const secret = 'a-secret-for-tests-of-32-letters'
      const auth = openAuth({ db, dialect, secret, publicUrl: ORIGIN, adminId: ADMIN_ID, password: rememberedPasswords })
      await ensureOwner(auth, { id: ADMIN_ID, name: 'Ona Owner', ...OWNER })
      // A signal channel of its own: what it does is no matter of the test shop's database.
      const app = createRequestHandler({ ...(await openTestShop()).shop, db, auth, live: openLive() })
      return async (password: string) => {
        const owner = person(app, ORIGIN)
        return { owner, response: await owner.post('/login/', { intent: 'login', email: OWNER.email, password }) }
      }
    },
  }
}

test('S-236 a lost password: the command prints a new one while the shop is open, the old one and every session of hers end', async () => {
  const { open, run, db } = await openShopForTwo()
  const logIn = await open()
  const { owner } = await logIn(OWNER.password)
  expect((await owner.get('/manage/')).status).toBe(200)

  const { code, printed } = await run('reset-password')

  expect(code, printed).toBe(0)
  const password = /^ {2}(\S{19})$/m.exec(printed)![1]!
  expect(printed).toContain(OWNER.email)
  expect((await owner.get('/manage/')).status).toBe(302)
  expect((await logIn(OWNER.password)).response.status).toBe(401)
  const again = await logIn(password)
  expect((await again.owner.get('/manage/')).status).toBe(200)
  expect(await again.owner.page('/manage/history/')).toContain(`Reset the password of ${OWNER.email} on the machine`)
  // Nothing keeps it: neither the letter that tells of it nor the history.
  const kept = JSON.stringify([await db.selectFrom('outbox').selectAll().execute(), await db.selectFrom('audit').selectAll().execute()])
  expect(kept).toContain('Your password was reset')
  expect(kept).not.toContain(password)
})

test('S-236 a lost phone: the second factor stays through a reset of the password, and goes by the command of its own', async () => {
  const { open, run } = await openShopForTwo()
  const logIn = await open()
  const app = openTotpApp()
  const { owner } = await logIn(OWNER.password)
  await turnOnSecondFactor(owner, app, OWNER.password)
  const half = await logIn(OWNER.password)

  const { printed } = await run('reset-password')
  const password = /^ {2}(\S{19})$/m.exec(printed)![1]!
  expect(printed).toContain('Two-step login is on as before')
  // The old password had led up to the code: no further now.
  expect((await half.owner.post('/login/code/', { code: app.next() })).status).toBe(401)
  expect((await logIn(password)).response.headers.get('location')).toBe('/login/code/')

  expect((await run('second-factor', 'off')).printed).toContain('Two-step login is off')
  const free = await logIn(password)
  expect((await free.owner.get('/manage/')).status).toBe(200)
  expect(await free.owner.page('/manage/history/')).toContain(`Turned off two-step login for ${OWNER.email} on the machine`)
  expect((await run('second-factor', 'off')).printed).toContain('Nothing was changed')
})

test('037 whoever may use the machine logs out one account, or everybody but guests, while the shop is open', async () => {
  const { open, run, db } = await openShopForTwo()
  const logIn = await open()
  const { owner } = await logIn(OWNER.password)
  await db
    .insertInto('user')
    .values(await guestRow(db))
    .execute()
  const session = await db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  await db
    .insertInto('session')
    .values({ ...session, id: 'guest', token: 'guest', userId: 'guest' })
    .execute()

  expect((await run('log-out', 'nobody@mail.test')).printed).toContain('No account has the e-mail nobody@mail.test. Nothing was changed.')
  expect((await owner.get('/manage/')).status).toBe(200)
  const one = await run('log-out', OWNER.email)
  expect([one.code, one.printed]).toEqual([0, expect.stringContaining('Logged out of 1 device.')])
  expect((await owner.get('/manage/')).status).toBe(302)
  const again = (await logIn(OWNER.password)).owner
  expect((await run('log-out', 'everybody')).printed).toContain('Logged out of 1 device.')
  expect((await again.get('/manage/')).status).toBe(302)
  expect(await db.selectFrom('session').select('id').execute()).toEqual([{ id: 'guest' }])
  const later = (await logIn(OWNER.password)).owner
  expect(await later.page('/manage/history/')).toContain('Logged out everybody on the machine')
})

const guestRow = async (db: Db) => {
  const row = await db.selectFrom('user').selectAll().where('id', '=', ADMIN_ID).executeTakeFirstOrThrow()
  return { ...row, id: 'guest', email: 'guest@guest.invalid', isAnonymous: true }
}

test('S-236 a slip is answered with what there is, and neither makes nor changes a shop', async () => {
  const { run, dataDir } = await openShopForTwo()
  const slip = await run('second-factor', 'on')
  expect([slip.code, slip.printed]).toEqual([1, expect.stringContaining('npm run admin -- reset-password')])
  const empty = await run('reset-password')
  expect([empty.code, empty.printed]).toEqual([1, expect.stringMatching(/There is no shop in .*\. Nothing was changed\./)])
  expect(empty.printed).not.toMatch(/\n +at /)
  const elsewhere = await runCommand('admin', ['reset-password'], { DATA_DIR: `${dataDir}-with-a-slip` })
  expect([elsewhere.code, elsewhere.printed]).toEqual([1, expect.stringContaining('Name its folder with DATA_DIR')])
  expect(existsSync(`${dataDir}-with-a-slip`)).toBe(false)
})
