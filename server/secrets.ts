import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SHOP_SECRETS } from '#app/features/backups/backup.ts'
import { ensureFolder, syncFolder } from '#app/lib/storage/atomic-write.server.ts'
import type { Env } from '#app/lib/config/env.server.ts'

export type Secrets = Record<(typeof SHOP_SECRETS)[number], string>

/** Loads the secrets of this shop. Processes with the same APP_SECRET accept each other's signatures. [S-260] */
export async function loadSecrets({
  secret,
  dataDir,
}: Pick<Env, 'secret' | 'dataDir'>): Promise<Secrets> {
  const secretOf = async (name: string): Promise<string> =>
    secret === null
      ? readOrCreateSecret(join(dataDir, 'secrets', name))
      : Buffer.from(hkdfSync('sha256', secret, 'knots-and-love', name, 32)).toString('base64url')
  const [session, codes, forms, mailbox] = await Promise.all(SHOP_SECRETS.map(secretOf))
  return { session: session!, codes: codes!, forms: forms!, mailbox: mailbox! }
}

/** Returns a hash by which two processes can compare their secrets without revealing them. */
export const fingerprintSecrets = (secrets: Secrets): string =>
  createHash('sha256')
    .update(SHOP_SECRETS.map((name) => secrets[name]).join('\n'))
    .digest('base64url')
    .slice(0, 16)

export async function readOrCreateSecret(path: string, bytes = 32): Promise<string> {
  await ensureFolder(dirname(path), 0o700)
  const stored = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (stored === null) return createSecret(path, randomBytes(bytes).toString('base64url'))
  if (stored.trim().length < 16)
    throw new Error(`${path} is empty or too short; delete it to have a new one made`)
  return stored.trim()
}

/** Creates a secret file. The secret is written to a temporary file, and `link` then gives the complete file its name, unless another process was faster. */
async function createSecret(path: string, secret: string): Promise<string> {
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    const file = await open(draft, 'wx', 0o600)
    await file
      .writeFile(secret)
      .then(() => file.sync())
      .finally(() => file.close())
    await link(draft, path)
    await syncFolder(dirname(path))
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(path, 'utf8')).trim()
  } finally {
    await rm(draft, { force: true })
  }
}
