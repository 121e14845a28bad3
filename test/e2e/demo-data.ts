/** The demo shop's data folder, made once before all browser tests; each test file works on a copy. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * `folder`: not yet there, or empty. `resized`: how the stored paths begin whose images get their smaller sizes, half a second each; of the others
 * pages show the originals, and no shop of a test spends time on them.
 */
export function makeDemoData(folder: string, resized: string[] = []): string {
  const script = `
    const { createServices } = await import('./server/bootstrap.ts')
    const { readEnv } = await import('./app/platform/env.server.ts')
    const { fillDemoShop } = await import('./demo/fill.server.ts')
    const env = readEnv({ DATA_DIR: ${JSON.stringify(folder)}, OWNER_EMAIL: 'owner@example.com', OWNER_PASSWORD: 'owner-password' })
    const { shop, close } = await createServices(env, () => {}, { isServed: false })
    await fillDemoShop(shop, () => {})
    const isResized = (where) => where.or(${JSON.stringify(resized)}.map((begin) => where('path', 'like', begin + '%')))
    await shop.db.updateTable('pictures').set({ state: 'failed' }).where((where) => where.not(isResized(where))).execute()
    await shop.pictures.finish()
    await close()`
  const made = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (made.status !== 0) throw new Error('the demo shop could not be made')
  return folder
}

/** Vitest's global setup: the workers inherit the environment. */
export function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'demo-shop-'))
  process.env.DEMO_DATA = makeDemoData(folder)
  return () => rmSync(folder, { recursive: true })
}
