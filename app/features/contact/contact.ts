/** Mail is open by default. [CONTACT-01, S-030] */
export const tabs = ['facebook', 'instagram', 'mail', 'phone'] as const
export type Tab = (typeof tabs)[number]

export const parseTab = (value: string | null): Tab => tabs.find((tab) => tab === value) ?? 'mail'

/** The fields in the order in which they are checked. [CONTACT-12] */
export type ContactField = 'name' | 'email' | 'phone' | 'message'
export type ContactForm = Record<ContactField, string>

export const MAX_NAME = 200
export const MAX_MESSAGE = 10_000
