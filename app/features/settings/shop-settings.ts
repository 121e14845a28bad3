export type ShopSettings = {
  name: string
  city: string
  ownerName: string
  email: string
  phone: string
  facebookHandle: string
  facebookUrl: string
  instagramHandle: string
  instagramUrl: string
  isPromoShown: boolean
  terms: string
  thankYouLetter: string
}

/** Placeholders that visitors never see; pages compare the settings with them. */
export const NO_CITY = 'Your City'
export const NO_OWNER = 'Owner'

/** Settings of the conversations, which pages of visitors do not load. [S-180, S-184] */
export type MessagingSettings = {
  /** minutes until an unread message causes an email; 0: never */
  reminderMinutes: number
  /** 'YYYY-MM-DD' in the shop's time zone, or '' */
  awayFrom: string
  awayUntil: string
  awayText: string
}

export const REMINDER_MINUTES = [0, 5, 15, 30, 60, 240]
