import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readEnv } from '#app/platform/env.server.ts'
import { createServices } from './bootstrap.ts'

test('S-013 a shop that is stopped finishes what goes on behind its answers before it closes the database', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'opened-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const { shop, close } = await createServices(
    readEnv({ DATA_DIR: dataDir, DEMO: '0', OWNER_PASSWORD: 'a-good-password', LOG_LEVEL: 'silent' }),
  )
  const { promise: closing, resolve } = Promise.withResolvers<void>()
  let found: unknown
  shop.behind.begin('a letter could not be written', async () => {
    await closing
    for (let turns = 0; turns < 5000; turns++) await new Promise(setImmediate)
    found = await shop.db.selectFrom('categories').select('id').execute()
  })
  const closed = close()
  resolve()
  await closed
  expect(found).toContainEqual({ id: 'bags' })
})
