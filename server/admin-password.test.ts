import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRequestHandler } from '#server/request-handler.ts'
import { ADMIN_ID } from '#app/platform/admin-id.ts'
import { openAuth } from '#app/platform/auth.server.ts'
import { readEnv } from '#app/platform/env.server.ts'
import { openTestShop, ORIGIN, OWNER } from '#test/open-test-shop.ts'
import { person } from '#test/person.ts'
import { ensureOwnerPassword } from './admin-password.ts'

/** A shop whose owner does not exist yet, and its starts. */
async function openNewShop() {
  const { shop, folder, dialect } = await openTestShop()
  const auth = openAuth({ db: shop.db, dialect, secret: 'x'.repeat(32), publicUrl: null, adminId: ADMIN_ID })
  await shop.db.deleteFrom('user').execute()
  const app = createRequestHandler({ ...shop, auth })
  const owner = person(app, ORIGIN)
  return {
    auth,
    db: shop.db,
    folder,
    owner,
    start: (password = '', { dataDir = folder, secret = '' } = {}) =>
      ensureOwnerPassword(
        auth,
        readEnv({ DATA_DIR: dataDir, OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: password, SHOP_SECRET: secret }),
        shop.db,
      ),
    async opensWith(password: string) {
      const response = await person(app, ORIGIN).post('/login/', { intent: 'login', email: OWNER.email, password })
      return response.status === 302
    },
  }
}

test('the generated password is shown at the first start only, kept in a file for the user alone, and opens the shop', async () => {
  const { start, folder, opensWith } = await openNewShop()
  const first = await start()
  const kept = join(folder, 'secrets', 'owner-password')
  const password = await readFile(kept, 'utf8')

  expect(first.hint).toContain(`with the password ${password} `)
  expect((await start()).hint).not.toContain(password)
  expect((await stat(kept)).mode & 0o777).toBe(0o600)
  expect(await opensWith(password)).toBe(true)
})

test('OWNER_PASSWORD counts when it is new: it replaces the old one and ends her sessions', async () => {
  const { start, owner, opensWith } = await openNewShop()
  await start('first-password')
  await owner.post('/login/', { intent: 'login', email: OWNER.email, password: 'first-password' })
  expect((await owner.get('/manage/')).status).toBe(200)

  await start('second-password')

  expect((await owner.get('/manage/')).status).toBe(302)
  expect([await opensWith('first-password'), await opensWith('second-password')]).toEqual([false, true])
})

test('left as it was, OWNER_PASSWORD does not undo a password that she changed herself, nor end her sessions', async () => {
  const { start, auth, owner, opensWith } = await openNewShop()
  await start('first-password')
  const { internalAdapter, password } = await auth.$context
  await internalAdapter.updatePassword(ADMIN_ID, await password.hash('her-own-password'))
  await owner.post('/login/', { intent: 'login', email: OWNER.email, password: 'her-own-password' })

  await start('first-password')

  expect((await owner.get('/manage/')).status).toBe(200)
  expect([await opensWith('first-password'), await opensWith('her-own-password')]).toEqual([false, true])
})

test('OWNER_PASSWORD set later takes the place of the generated one, and no start prints it', async () => {
  const { start, folder, opensWith, db } = await openNewShop()
  await start()
  const generated = await readFile(join(folder, 'secrets', 'owner-password'), 'utf8')
  const { hint } = await start('chosen-password')
  expect(hint).toBe('')
  expect([await opensWith(generated), await opensWith('chosen-password')]).toEqual([false, true])
  expect(JSON.stringify(await db.selectFrom('marks').selectAll().execute())).not.toContain('chosen-password')
})

test('S-260 a process without a folder that lasts knows as well which OWNER_PASSWORD was followed last', async () => {
  const { start, auth, opensWith, folder } = await openNewShop()
  const anew = (at: number) => ({ dataDir: join(folder, `start-${at}`), secret: 'a-secret-of-more-than-32-characters' })
  await start('first-password', anew(1))
  const { internalAdapter, password } = await auth.$context
  await internalAdapter.updatePassword(ADMIN_ID, await password.hash('her-own-password'))
  await start('first-password', anew(2))
  expect([await opensWith('first-password'), await opensWith('her-own-password')]).toEqual([false, true])
  await start('second-password', anew(3))
  expect(await opensWith('second-password')).toBe(true)
})
