/** Who somebody is, in the words of a provider; held to what the shop can keep. */
import { z } from 'zod'
import { LONGEST_NAME } from './name-length.ts'

export type Identity = {
  provider: string
  /** the provider's own name for the person, which never changes */
  subject: string
  email: string
  emailVerified: boolean
  /** may be empty */
  name: string
  /** where the provider keeps the photo; nobody's browser is sent there (S-209) */
  image: string | null
}

const blank = (value: unknown): unknown => (typeof value === 'string' ? value : '')
const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  // Some providers send it as a text; a text that says 'false' is true to a program.
  email_verified: z
    .unknown()
    .optional()
    .transform((told) => told === true || told === 'true'),
  name: z.preprocess(blank, z.string()),
  picture: z.preprocess(blank, z.string()),
})

/** null: claims that name nobody, or that no account could be made of. */
export function identityOf(provider: string, claims: unknown): Identity | null {
  const read = Claims.safeParse(claims)
  if (!read.success) return null
  const { sub, email, email_verified: emailVerified, name, picture } = read.data
  // Names stand in letters and lists: neither a line of one's own nor marks that turn the words around them have a place there.
  const oneLine = name
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Bidi_Control}/gu, '')
    .trim()
    .slice(0, LONGEST_NAME)
    .replace(/\p{Cs}/gu, '')
  const image = picture.length <= 500 && picture.startsWith('https://') && URL.canParse(picture) ? picture : null
  return { provider, subject: sub, email: email.toLowerCase(), emailVerified, name: oneLine, image }
}
