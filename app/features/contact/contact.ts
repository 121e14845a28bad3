import type { ShopSettings } from '#settings/shop-settings.ts'

const tabs = ['facebook', 'instagram', 'mail', 'phone'] as const
export type Tab = (typeof tabs)[number]

/** Omits tabs without a setting. "Phone" may also show only the email address. [OWN-03] */
export const tabsOf = (settings: ShopSettings) =>
  tabs.filter(
    (tab) => tab === 'mail' || settings[tab] !== '' || (tab === 'phone' && settings.email !== ''),
  )

export const parseTab = (value: string | null, offered: readonly Tab[]): Tab =>
  offered.find((tab) => tab === value) ?? 'mail'

export type ContactField = 'name' | 'email' | 'phone' | 'message'
export type ContactForm = Record<ContactField, string>

export const MAX_NAME = 200
export const MAX_MESSAGE = 10_000
