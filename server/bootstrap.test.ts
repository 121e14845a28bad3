import { expect, test } from 'vitest'
import { readEnv } from '#app/lib/config/env.server.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { createServices } from './bootstrap.ts'

test('finishes background work before it closes the database [S-013]', async () => {
  const dataDir = await newFolder()
  const { services, close } = await createServices(
    readEnv({ DATA_DIR: dataDir, DEMO: '0', OWNER_PASSWORD: 'a-good-password', LOG_LEVEL: 'silent' }),
  )
  const { promise: closing, resolve } = Promise.withResolvers<void>()
  let found: unknown
  services.backgroundTasks.begin('an email could not be written', async () => {
    await closing
    for (let tick = 0; tick < 5000; tick++) await new Promise(setImmediate)
    found = await services.db.selectFrom('categories').select('id').execute()
  })
  const closed = close()
  resolve()
  await closed
  expect(found).toContainEqual({ id: 'bags' })
})
