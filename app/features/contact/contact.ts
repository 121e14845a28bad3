/** The contact page: its tabs, its fields and the texts of what can go wrong. */

/** CONTACT-01; S-030: mail is open at first. */
export const tabs = ['facebook', 'instagram', 'mail', 'phone'] as const
export type Tab = (typeof tabs)[number]
export const tabNames: Record<Tab, string> = { facebook: 'Facebook', instagram: 'Instagram', mail: 'Mail', phone: 'Phone' }

export const tabOf = (asked: string | null): Tab => tabs.find((tab) => tab === asked) ?? 'mail'

/** The fields in the order of the checks (CONTACT-12). */
export type ContactField = 'name' | 'email' | 'phone' | 'message'
export type ContactForm = Record<ContactField, string>

export const contactTexts = {
  sent: 'Your Mail Have been sent!',
  notSent: 'There was an error sending your mail',
  notStored: 'An Error Occured while updating database.',
  tooMany: 'Too many messages from here. Please wait a few minutes and try again.',
} as const
