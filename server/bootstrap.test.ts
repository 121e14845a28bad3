import { expect, test } from 'vitest'
import { readEnv } from '#lib/config/env.server.ts'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { ensureScenes } from '#demo/images.server.ts'
import { pageOf } from '#test/fixtures/html.ts'
import { person } from '#test/fixtures/test-shop.ts'
import { createServices } from './bootstrap.ts'
import { createRequestHandler } from './request-handler.ts'

test('finishes background work before it closes the database [S-013]', async () => {
  const dataDir = await newFolder()
  const { services, close } = await createServices(
    readEnv({
      DATA_DIR: dataDir,
      DEMO: '0',
      OWNER_PASSWORD: 'a-good-password',
      LOG_LEVEL: 'silent',
    }),
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

test('a shop without demo data has wallpapers and five pictures on About, and its second start adds no pictures [OWN-06]', async () => {
  const env = readEnv({
    DATA_DIR: await newFolder(),
    DEMO: '0',
    OWNER_PASSWORD: 'a-good-password',
    LOG_LEVEL: 'silent',
  })
  const first = await createServices(env)
  const visitor = person(createRequestHandler(first.services), 'http://shop.test')
  expect(await visitor.page('/')).toContain('/pictures/scenes/wallpaper-dark')
  const about = pageOf(await visitor.page('/about/'))
  const slides = about
    .getAllByRole<HTMLImageElement>('img', { hidden: true })
    .filter(({ src }) => src.includes('/pictures/scenes/slide-'))
  expect(slides).toHaveLength(5)
  expect((await visitor.get('/pictures/scenes/slide-5.avif')).status).toBe(200)
  const rows = () => first.services.db.selectFrom('images').select('id').orderBy('id').execute()
  const before = await rows()
  await ensureScenes(first.services)
  expect(await rows()).toEqual(before)
  await first.close()
})
