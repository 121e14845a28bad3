import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '#app/platform/durable-file.server.ts'
import type { Env } from '#app/platform/env.server.ts'

/** session: cookies and second factors · codes: in letters · forms: when they were asked for */
const names = ['session', 'codes', 'forms'] as const
export type Secrets = Record<(typeof names)[number], string>

/** S-260: what one process has signed another one believes. */
export async function openSecrets({ secret, dataDir }: Pick<Env, 'secret' | 'dataDir'>): Promise<Secrets> {
  const secretOf = async (name: string): Promise<string> =>
    secret === null
      ? readOrMakeSecret(join(dataDir, 'secrets', name))
      : Buffer.from(hkdfSync('sha256', secret, 'knots-and-love', name, 32)).toString('base64url')
  const [session, codes, forms] = await Promise.all(names.map(secretOf))
  return { session: session!, codes: codes!, forms: forms! }
}

/** Tells whether two processes have the same secrets, and nothing of them. */
export const markOfSecrets = (secrets: Secrets): string =>
  createHash('sha256')
    .update(names.map((name) => secrets[name]).join('\n'))
    .digest('base64url')
    .slice(0, 16)

export async function readOrMakeSecret(path: string, bytes = 32): Promise<string> {
  await makeFolder(dirname(path), 0o700)
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
    await syncFolder(dirname(path))
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readFile(path, 'utf8')).trim()
  } finally {
    await rm(draft, { force: true })
  }
}
