/** Secrets of the shop, made once and kept in the data folder for its user alone. */
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Reads the secret, or makes one of `bytes` random bytes (mode 600) when there is none yet. */
export async function readOrMakeSecret(path: string, bytes = 32): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const secret = randomBytes(bytes).toString('base64url')
  try {
    const file = await open(path, 'wx', 0o600)
    await file
      .writeFile(secret)
      .then(() => file.sync())
      .finally(() => file.close())
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const kept = (await readFile(path, 'utf8')).trim()
    if (kept.length < 16) throw new Error(`${path} is empty or too short; delete it to have a new one made`)
    return kept
  }
}
