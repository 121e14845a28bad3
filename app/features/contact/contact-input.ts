/** The checks of the contact form (specification section 5), in their order. */
import { z } from 'zod'
import type { ContactField, ContactForm } from './contact.ts'

const MAX_NAME = 200
const MAX_MESSAGE = 10_000

/** CONTACT-14 to CONTACT-20; S-036: blanks alone are nothing; S-037: of the phone only the length counts, as typed. */
const Contact = z.object({
  // Line breaks would be headers of the letter: they become blanks.
  name: z
    .string()
    .transform((name) => name.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .pipe(z.string().min(1, 'Please provide a name').max(MAX_NAME, `Please provide a name of at most ${MAX_NAME} characters`)),
  email: z.string().trim().max(254, 'Please provide a valid Email').pipe(z.email('Please provide a valid Email')),
  phone: z.string().min(10, 'Please provide a valid Phone Number').max(11, 'Please provide a valid Phone Number'),
  message: z
    .string()
    .max(MAX_MESSAGE, 'Please keep the message under 10,000 characters')
    .refine((message) => message.trim() !== '', 'Please provide a short Message'),
})

export type CheckedContact = { ok: true; contact: ContactForm } | { ok: false; field: ContactField; error: string }

/** CONTACT-12: only the first failure is told. */
export function checkContact(typed: ContactForm): CheckedContact {
  const checked = Contact.safeParse(typed)
  if (checked.success) return { ok: true, contact: checked.data }
  const first = checked.error.issues[0]!
  return { ok: false, field: first.path[0] as ContactField, error: first.message }
}
