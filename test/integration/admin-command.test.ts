// Runs the command admin as a separate process while a shop is open.
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '#db/migrate.ts'
import { createRequestHandler } from '#server/request-handler.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { ensureOwner, createAuth } from '#services/auth.server.ts'
import { openSqliteDatabase } from '#services/database.server.ts'
import { openPostgres } from '#services/postgres.server.ts'
import { createLive } from '#services/live-topics.server.ts'
import { newDataFolder } from '#test/fixtures/backups.ts'
import {
  openTestShop,
  ORIGIN,
  OWNER,
  person,
  rememberedPasswords,
} from '#test/fixtures/test-shop.ts'
import { createEmptyDatabase } from '#test/fixtures/database.ts'
import { runCommand } from '#test/fixtures/processes.ts'
import { openTotpApp, turnOnSecondFactor } from '#test/fixtures/accounts.ts'

/**
 * Opens a shop whose database is a file or in PostgreSQL, so that the admin command can open the
 * same database.
 */
async function openSharedShop() {
  const dataDir = await newDataFolder()
  const url = process.env.TEST_DATABASE === 'postgres' ? await createEmptyDatabase() : null
  const { db, dialect, close } = url ? openPostgres(url) : openSqliteDatabase(dataDir)
  onTestFinished(close)
  await migrate(db, dialect)
  const secret = 'a-secret-for-tests-of-32-characters'
  const auth = createAuth({
    db,
    dialect,
    secret,
    publicUrl: ORIGIN,
    password: rememberedPasswords,
  })
  await ensureOwner(auth, { name: 'Ona Owner', ...OWNER })
  const app = createRequestHandler({ ...(await openTestShop()).shop, db, auth, live: createLive() })
  async function signIn(password: string = OWNER.password) {
    const owner = person(app, ORIGIN)
    const response = await owner.post('/login/', { intent: 'login', email: OWNER.email, password })
    return { owner, response }
  }
  const run = (...args: string[]) =>
    runCommand('admin', args, { DATA_DIR: dataDir, ...(url && { DATABASE_URL: url }) })
  return { db, signIn, run }
}

const said = (code: number, text: string) => ({
  code,
  printed: expect.stringContaining(text) as string,
})
const newPasswordIn = (printed: string) => /^ {2}(\S{19})$/m.exec(printed)![1]!

test('"admin reset-password" prints a new password, invalidates the old password and ends the owner’s login sessions [S-236]', async () => {
  const { signIn, run, db } = await openSharedShop()
  const { owner } = await signIn()
  expect((await owner.get('/manage/')).status).toBe(200)

  const { code, printed } = await run('reset-password')

  expect(code, printed).toBe(0)
  const password = newPasswordIn(printed)
  expect(printed).toContain(OWNER.email)
  expect((await owner.get('/manage/')).status).toBe(302)
  expect((await signIn()).response.status).toBe(401)
  const again = await signIn(password)
  expect((await again.owner.get('/manage/')).status).toBe(200)
  expect(await again.owner.page('/manage/history/')).toContain(
    `Reset the password of ${OWNER.email} on the server`,
  )
  const stored = JSON.stringify([
    await db.selectFrom('outbox').selectAll().execute(),
    await db.selectFrom('audit').selectAll().execute(),
  ])
  expect(stored).toContain('Your password was reset')
  expect(stored).not.toContain(password)
})

test('two-step login stays on after "admin reset-password", but not after "admin second-factor off" [S-236]', async () => {
  const { signIn, run } = await openSharedShop()
  const app = openTotpApp()
  await turnOnSecondFactor((await signIn()).owner, app, OWNER.password)
  const waiting = await signIn()

  const { printed } = await run('reset-password')
  expect(printed).toContain('Two-step login is still on')
  // A login that began with the old password cannot continue with a two-factor code.
  expect((await waiting.owner.post('/login/code/', { code: app.next() })).status).toBe(401)
  const password = newPasswordIn(printed)
  expect((await signIn(password)).response.headers.get('location')).toBe('/login/code/')

  expect(await run('second-factor', 'off')).toEqual(said(0, 'Two-step login is off'))
  const { owner } = await signIn(password)
  expect((await owner.get('/manage/')).status).toBe(200)
  expect(await owner.page('/manage/history/')).toContain(
    `Turned off two-step login for ${OWNER.email} on the server`,
  )
  expect(await run('second-factor', 'off')).toEqual(said(0, 'Nothing was changed'))
})

test('"admin log-out" ends the sessions of one account, or the sessions of all users except guests', async () => {
  const { signIn, run, db } = await openSharedShop()
  const { owner } = await signIn()
  const row = await db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', OWNER_ID)
    .executeTakeFirstOrThrow()
  const guest = { ...row, id: 'guest', email: 'guest@guest.invalid', isAnonymous: true }
  await db.insertInto('user').values(guest).execute()
  const session = await db.selectFrom('session').selectAll().executeTakeFirstOrThrow()
  const ofGuest = { ...session, id: 'guest', token: 'guest', userId: 'guest' }
  await db.insertInto('session').values(ofGuest).execute()

  expect(await run('log-out', 'unknown@mail.test')).toEqual(
    said(1, 'No account has the email unknown@mail.test. Nothing was changed.'),
  )
  expect((await owner.get('/manage/')).status).toBe(200)
  expect(await run('log-out', OWNER.email)).toEqual(said(0, 'Logged out of 1 device.'))
  expect((await owner.get('/manage/')).status).toBe(302)
  const again = (await signIn()).owner
  expect(await run('log-out', 'everybody')).toEqual(said(0, 'Logged out of 1 device.'))
  expect((await again.get('/manage/')).status).toBe(302)
  expect(await db.selectFrom('session').select('id').execute()).toEqual([{ id: 'guest' }])
  expect(await (await signIn()).owner.page('/manage/history/')).toContain(
    'Logged out everybody on the server',
  )
})
