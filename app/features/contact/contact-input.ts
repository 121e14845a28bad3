/** The checks of the contact form (specification section 5), in their order. */
import { z } from 'zod'
import { contactTexts, MAX_MESSAGE, MAX_NAME, type ContactField, type ContactForm } from './contact.ts'

const noName = 'Please provide a name'
const noEmail = 'Please provide a valid Email'
const noPhone = 'Please provide a valid Phone Number'

/**
 * What stands before the @: words with dots between, or in quotes anything printable but angle brackets. After it: a domain in any script, its last part
 * no number. Neither holds what could end an address and begin another: blanks, commas, brackets, line ends.
 */
const LOCAL = /^(?:[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*|"(?:[ !#-;=?-[\]-~]|\\["\\])+")$/u
const DOMAIN = /^(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/iu

/** CONTACT-15 */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  return at > 0 && at <= 64 && text.length <= 254 && LOCAL.test(text.slice(0, at)) && DOMAIN.test(text.slice(at + 1))
}

/** Line ends would be headers of the letter: they become blanks. Marks that turn the reading direction would garble the owner's list. */
const oneLine = (text: string) =>
  text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** A browser sends each line end as two characters; what was typed is one. */
const asTyped = (text: string) => text.replaceAll('\r\n', '\n')

/** An emoji counts once; one that is far too long is not counted. */
const isShort = (text: string) => text.length <= MAX_MESSAGE || (text.length <= 2 * MAX_MESSAGE && [...text].length <= MAX_MESSAGE)

/** CONTACT-14 to CONTACT-20; S-036: blanks alone are nothing; S-037: of the phone only the length counts, as typed. */
const Contact = z.object({
  name: z
    .string()
    .transform(oneLine)
    .pipe(z.string().min(1, noName).max(MAX_NAME, `${noName} of at most ${MAX_NAME} characters`)),
  email: z.string().trim().refine(isEmail, noEmail),
  phone: z.string().min(10, noPhone).max(11, noPhone),
  message: z
    .string()
    .transform(asTyped)
    .refine((message) => message.trim() !== '', { error: 'Please provide a short Message', abort: true })
    .refine(isShort, contactTexts.tooLong),
})

export type CheckedContact = { ok: true; contact: ContactForm } | { ok: false; field: ContactField; error: string }

/** CONTACT-12: only the first failure is told. */
export function checkContact(typed: ContactForm): CheckedContact {
  const checked = Contact.safeParse(typed)
  if (checked.success) return { ok: true, contact: checked.data }
  const first = checked.error.issues[0]!
  return { ok: false, field: first.path[0] as ContactField, error: first.message }
}
