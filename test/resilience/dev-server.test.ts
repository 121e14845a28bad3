import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/fixtures/data-folders.ts'
import { freePort } from '#test/fixtures/network.ts'
import { startScript } from '#test/fixtures/processes.ts'

test('"npm run dev" opens the shop on the given port, serves pages and source files, and ends on SIGTERM', async () => {
  const [dataDir, port] = [join(await newFolder(), 'data'), await freePort()]
  const script = startScript('dev', [], { DATA_DIR: dataDir, PORT: String(port), DEMO: '0' })
  const address = await script.opened()
  expect(address).toBe(`http://localhost:${port}`)

  const health = await fetch(`${address}/health`, { redirect: 'error' })
  expect(health.status).toBe(200)
  expect(await health.text()).toBe('ok')
  const home = await fetch(`${address}/`)
  expect(home.status).toBe(200)
  expect(await home.text()).toEqual(expect.stringContaining('<title>Knots &amp; Love'))
  // Only the development server serves source files.
  expect(await (await fetch(`${address}/app/entry.client.tsx`)).text()).toContain('hydrateRoot')
  expect((await readFile(join(dataDir, 'shop.db'))).subarray(0, 15).toString()).toBe(
    'SQLite format 3',
  )

  script.terminate()
  // The exit code is 128 + 15, which is the convention for a process that SIGTERM ended.
  expect(await script.ended).toEqual({ code: 143, signal: null })
  await expect(fetch(`${address}/health`)).rejects.toThrow('fetch failed')
})
