import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRequestHandler } from './request-handler.ts'
import { OWNER_ID } from '#services/owner-id.ts'
import { createAuth } from '#services/auth.server.ts'
import { readEnv } from '#lib/config/env.server.ts'
import {
  openTestShop,
  ORIGIN,
  OWNER,
  person,
  rememberedPasswords,
} from '#test/fixtures/test-shop.ts'
import { applyConfiguredPassword } from './passwords.ts'

async function openNewShop() {
  const { shop, folder, dialect } = await openTestShop()
  const auth = createAuth({
    db: shop.db,
    dialect,
    secret: 'x'.repeat(32),
    publicUrl: null,
    password: rememberedPasswords,
  })
  await shop.db.deleteFrom('user').execute()
  const app = createRequestHandler({ ...shop, auth })
  const owner = person(app, ORIGIN)
  return {
    auth,
    db: shop.db,
    folder,
    owner,
    start: (password = '', { dataDir = folder, secret = '' } = {}) =>
      applyConfiguredPassword(
        auth,
        readEnv({
          DATA_DIR: dataDir,
          OWNER_EMAIL: OWNER.email,
          OWNER_PASSWORD: password,
          APP_SECRET: secret,
        }),
        shop.db,
      ),
    async opensWith(password: string) {
      const response = await person(app, ORIGIN).post('/login/', {
        intent: 'login',
        email: OWNER.email,
        password,
      })
      return response.status === 302
    },
  }
}

test('prints the owner’s generated password only at the first start, and stores the password in a private file', async () => {
  const { start, folder, opensWith } = await openNewShop()
  const first = await start()
  const path = join(folder, 'secrets', 'owner-password')
  const password = await readFile(path, 'utf8')

  expect(first.hint).toContain(`with the password ${password} `)
  expect((await start()).hint).not.toContain(password)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await opensWith(password)).toBe(true)
})

test('replaces the owner’s password and ends her sessions when OWNER_PASSWORD was changed', async () => {
  const { start, owner, opensWith, folder, db } = await openNewShop()
  await start()
  const generated = await readFile(join(folder, 'secrets', 'owner-password'), 'utf8')
  await owner.post('/login/', { intent: 'login', email: OWNER.email, password: generated })
  expect((await owner.get('/manage/')).status).toBe(200)

  expect((await start('chosen-password')).hint).toBe('')

  expect((await owner.get('/manage/')).status).toBe(302)
  expect(await opensWith(generated)).toBe(false)
  expect(await opensWith('chosen-password')).toBe(true)
  expect(JSON.stringify(await db.selectFrom('keyValues').selectAll().execute())).not.toContain(
    'chosen-password',
  )
})

test('keeps the owner’s password and sessions while OWNER_PASSWORD is unchanged, even without a permanent data folder [S-260]', async () => {
  const { start, auth, owner, opensWith, folder } = await openNewShop()
  const settings = (at: number) => ({
    dataDir: join(folder, `start-${at}`),
    secret: 'a-secret-of-more-than-32-characters',
  })
  await start('first-password', settings(1))
  const { internalAdapter, password } = await auth.$context
  await internalAdapter.updatePassword(OWNER_ID, await password.hash('her-own-password'))
  await owner.post('/login/', { intent: 'login', email: OWNER.email, password: 'her-own-password' })
  await start('first-password', settings(2))
  expect((await owner.get('/manage/')).status).toBe(200)
  expect(await opensWith('first-password')).toBe(false)
  expect(await opensWith('her-own-password')).toBe(true)
  await start('second-password', settings(3))
  expect(await opensWith('second-password')).toBe(true)
})
