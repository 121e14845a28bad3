import type { ShopSettings } from '#app/features/settings/shop-settings.ts'

/** The contact page has these tabs and opens "mail" by default. [CONTACT-01, S-030] */
const tabs = ['facebook', 'instagram', 'mail', 'phone'] as const
export type Tab = (typeof tabs)[number]

/** Returns the tabs of the contact page. Ways of contact that are missing in the settings have no tab. [OWN-03] */
export const tabsOf = (
  settings: Pick<ShopSettings, 'facebook' | 'instagram' | 'phone' | 'email'>,
): readonly Tab[] =>
  tabs.filter(
    (tab) => tab === 'mail' || settings[tab] !== '' || (tab === 'phone' && settings.email !== ''),
  )

export const parseTab = (value: string | null, offered: readonly Tab[]): Tab =>
  offered.find((tab) => tab === value) ?? 'mail'

/** The server checks the fields of the contact form in this sequence. [CONTACT-12] */
export type ContactField = 'name' | 'email' | 'phone' | 'message'
export type ContactForm = Record<ContactField, string>

export const MAX_NAME = 200
export const MAX_MESSAGE = 10_000
