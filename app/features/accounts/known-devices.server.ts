/**
 * Devices that somebody has signed in with before (038): a signed cookie that says so, and opens nothing. Its tries at the password are
 * counted by themselves, so that nobody who guesses elsewhere can shut it out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { readCookie } from '#app/platform/cookies.server.ts'
import { newSecretId } from '#app/platform/ids.ts'
import type { Asker } from './ask-auth.server.ts'

const COOKIE = 'known'
const KEPT_FOR = 180 * 24 * 60 * 60_000
/** Of one device, for a family that shares it. */
const MOST_ACCOUNTS = 5

/**
 * Of whom it is stands in no cookie: only who types the address can see that it fits. It fits as long as the password is the same: whoever
 * collected marks while knowing the old one would have ten tries at the new one with each.
 */
async function openSignature({ shop }: Asker, typed: string): Promise<(mark: string) => Buffer> {
  const email = typed.toLowerCase()
  const own = await shop.db
    .selectFrom('user')
    .innerJoin('account', 'account.userId', 'user.id')
    .select('account.password')
    .where('user.email', '=', email)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst()
  const { secret } = await shop.auth.$context
  const key = createHmac('sha256', secret).update('known devices').digest()
  return (mark) =>
    createHmac('sha256', key)
      .update(`${mark} ${email} ${own?.password ?? ''}`)
      .digest()
}

const entriesOf = ({ request, page }: Asker): string[] =>
  readCookie(request, page, COOKIE)
    .split('~')
    .slice(0, MOST_ACCOUNTS)
    .filter((entry) => entry !== '')

/** The mark of this device for this account; null: nobody has signed in to it from here for half a year. */
export async function knownDevice(asker: Asker, email: string): Promise<string | null> {
  const entries = entriesOf(asker)
  if (entries.length === 0) return null
  const sign = await openSignature(asker, email)
  for (const entry of entries) {
    const [mark = '', signature = ''] = entry.split('.')
    const expected = sign(mark)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) continue
    const age = asker.shop.now() - Number.parseInt(mark.split('-')[0]!, 36)
    return age < KEPT_FOR ? mark : null
  }
  return null
}

/** After signing in, by whichever way, and after a new password. */
export async function rememberDevice(asker: Asker, email: string): Promise<void> {
  const before = await knownDevice(asker, email)
  const others = entriesOf(asker).filter((entry) => !(before && entry.startsWith(`${before}.`)))
  const mark = `${asker.shop.now().toString(36)}-${newSecretId()}`
  const entry = `${mark}.${(await openSignature(asker, email))(mark).toString('base64url')}`
  const value = [entry, ...others].slice(0, MOST_ACCOUNTS).join('~')
  asker.page.cookies.push(`${COOKIE}=${value}; Path=/; Max-Age=${KEPT_FOR / 1000}; HttpOnly; SameSite=Lax`)
}
