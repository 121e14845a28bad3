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

/** Of whom it is stands in no cookie: only who types the address can see that it fits. */
async function signatureOf({ shop }: Asker, mark: string, email: string): Promise<Buffer> {
  const { secret } = await shop.auth.$context
  const key = createHmac('sha256', secret).update('known devices').digest()
  return createHmac('sha256', key).update(`${mark} ${email.toLowerCase()}`).digest()
}

const entriesOf = ({ request, page }: Asker): string[] => readCookie(request, page, COOKIE).split('~').slice(0, MOST_ACCOUNTS)

/** The mark of this device for this account; null: nobody has signed in to it from here for half a year. */
export async function knownDevice(asker: Asker, email: string): Promise<string | null> {
  for (const entry of entriesOf(asker)) {
    const [mark = '', signature = ''] = entry.split('.')
    const expected = await signatureOf(asker, mark, email)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) continue
    const age = asker.shop.now() - Number.parseInt(mark.split('-')[0]!, 36)
    return age < KEPT_FOR ? mark : null
  }
  return null
}

/** After signing in, by whichever way. */
export async function rememberDevice(asker: Asker, email: string): Promise<void> {
  const before = await knownDevice(asker, email)
  const others = entriesOf(asker).filter((entry) => entry !== '' && !(before && entry.startsWith(`${before}.`)))
  const mark = `${asker.shop.now().toString(36)}-${newSecretId()}`
  const entry = `${mark}.${(await signatureOf(asker, mark, email)).toString('base64url')}`
  const value = [entry, ...others].slice(0, MOST_ACCOUNTS).join('~')
  asker.page.cookies.push(`${COOKIE}=${value}; Path=/; Max-Age=${KEPT_FOR / 1000}; HttpOnly; SameSite=Lax`)
}
