/** CONTACT-01; S-030: mail is open at first. */
export const tabs = ['facebook', 'instagram', 'mail', 'phone'] as const
export type Tab = (typeof tabs)[number]
export const tabNames: Record<Tab, string> = { facebook: 'Facebook', instagram: 'Instagram', mail: 'Mail', phone: 'Phone' }

/** S-030: whatever else is asked for is the mail. */
export const tabOf = (asked: string | null): Tab => tabs.find((tab) => tab === asked) ?? 'mail'

/** The fields in the order of the checks (CONTACT-12). */
export type ContactField = 'name' | 'email' | 'phone' | 'message'
export type ContactForm = Record<ContactField, string>

export const MAX_NAME = 200
export const MAX_MESSAGE = 10_000

/** What the toast says: the first three are the specified texts. */
export const contactTexts = {
  sent: 'Your Mail Have been sent!',
  notSent: 'There was an error sending your mail',
  notStored: 'An Error Occured while updating database.',
  tooLong: 'Please keep the message under 10,000 characters',
  tooFast: 'That was very quick. Please wait a moment and press Submit again.',
  tooOld: 'This page has been open for a long time. Please press Submit again.',
  unsure: 'We could not tell that a person wrote this. Please press Submit again.',
} as const

export const contactNotes = {
  sent: 'Thank you for writing. Your message has arrived, and the answer comes to your e-mail.',
  notSent: 'Your message is kept all the same and will be read. There is no need to send it again.',
} as const
