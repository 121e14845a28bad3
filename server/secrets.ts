/** Secrets of the shop, made once and kept in the data folder for its user alone. */
import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Reads the secret, or makes one of `bytes` random bytes (mode 600) when there is none yet. */
export async function readOrMakeSecret(path: string, bytes = 32): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const kept = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (kept === null) return makeSecret(path, randomBytes(bytes).toString('base64url'))
  if (kept.trim().length < 16) throw new Error(`${path} is empty or too short; delete it to have a new one made`)
  return kept.trim()
}

/** Written aside and linked into place: whoever comes second reads the first one's, and a killed start leaves no half secret. */
async function makeSecret(path: string, secret: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(draft, 'wx', 0o600)
    await file
      .writeFile(secret)
      .then(() => file.sync())
      .finally(() => file.close())
    await link(draft, path)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(path, 'utf8')).trim()
  } finally {
    await rm(draft, { force: true })
  }
}
