/** Programs of this machine that a test takes where they are; none is ever needed. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']

/** Its path, null where there is none: then the test says what it could not show. */
export function programOf(name: string): string | null {
  const path = folders.map((folder) => join(folder, name)).find((one) => existsSync(one))
  if (!path) console.info(`${name} is not installed here: what only it can show is left out`)
  return path ?? null
}
