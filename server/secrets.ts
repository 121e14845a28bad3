import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SHOP_SECRETS } from '#backups/backup.ts'
import { ensureFolder, syncFolder } from '#lib/storage/atomic-write.server.ts'
import type { Env } from '#lib/config/env.server.ts'

export type Secrets = Record<(typeof SHOP_SECRETS)[number], string>

/** Processes with the same APP_SECRET accept each other's signatures. [S-260] */
export async function loadSecrets({ secret, dataDir }: Pick<Env, 'secret' | 'dataDir'>) {
  const secretOf = async (name: string) =>
    secret === null
      ? readOrCreateSecret(join(dataDir, 'secrets', name))
      : Buffer.from(hkdfSync('sha256', secret, 'knots-and-love', name, 32)).toString('base64url')
  const [session, codes, forms, mailbox] = await Promise.all(SHOP_SECRETS.map(secretOf))
  return { session: session!, codes: codes!, forms: forms!, mailbox: mailbox! }
}

export const fingerprintSecrets = (secrets: Secrets) =>
  createHash('sha256')
    .update(SHOP_SECRETS.map((name) => secrets[name]).join('\n'))
    .digest('base64url')
    .slice(0, 16)

export async function readOrCreateSecret(path: string, bytes = 32) {
  await ensureFolder(dirname(path), 0o700)
  const secret = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return null
  })
  if (secret === null) return createSecret(path, randomBytes(bytes).toString('base64url'))
  if (secret.trim().length < 16) {
    throw new Error(`${path} is empty or too short; delete it to have a new one made`)
  }
  return secret.trim()
}

/**
 * If another process creates the file first, `link` fails and this process uses the other secret.
 */
async function createSecret(path: string, secret: string) {
  const draft = `${path}.${randomBytes(6).toString('hex')}.part`
  try {
    await writeFile(draft, secret, { flag: 'wx', mode: 0o600, flush: true })
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
