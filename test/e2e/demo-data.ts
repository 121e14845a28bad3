/** The demo shop's data folder, made once from the sources that draw it and kept in .cache; a journey works on a copy. */
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

/** Whatever changes the drawings, the pictures or the tables makes a new folder. */
function digestOfSources(): string {
  const hash = createHash('sha256')
  for (const file of globSync('{demo,db}/**/*.ts').sort()) hash.update(file).update(readFileSync(file))
  for (const file of [...globSync('app/platform/picture-{original,widths}.server.ts').sort(), 'package-lock.json'])
    hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}

/** Pixels: the drawings whole take ten times as long. */
const SMALL = 320
/** What is looked at closely: its pictures are wider than the closer look on a phone makes of any. */
export const CLOSE = { item: 'three-diamonds-wall-hanging', width: 640 }

/** `small`: with pictures that are quickly written, for tests that do not look at them closely. */
export async function demoDataFolder({ small = false } = {}): Promise<string> {
  const folder = resolve('.cache', `demo-${digestOfSources()}${small ? `-${SMALL}` : ''}`)
  if (existsSync(folder)) return folder
  const draft = `${folder}.draft-${process.pid}`
  mkdirSync(draft, { recursive: true })
  const script = `
    const { openShop } = await import('./build/server/index.js')
    const { readEnv } = await import('./app/platform/env.server.ts')
    const { fillDemoShop } = await import('./demo/fill.server.ts')
    const env = readEnv({ DATA_DIR: ${JSON.stringify(draft)}, OWNER_EMAIL: 'owner@example.com', OWNER_PASSWORD: 'owner-password' })
    const { shop, close } = await openShop(env, () => {}, { isServed: false })
    await fillDemoShop(shop, console.log, ${small ? `(name) => name.startsWith('${CLOSE.item}') ? ${CLOSE.width} : ${SMALL}` : 'undefined'})
    await close()`
  const made = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    stdio: 'inherit',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  if (made.status !== 0) {
    rmSync(draft, { recursive: true })
    throw new Error('the demo shop could not be made')
  }
  if (existsSync(folder)) rmSync(draft, { recursive: true })
  else renameSync(draft, folder)
  return folder
}
