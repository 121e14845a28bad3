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
  /** S-142: the 50% banner can be switched off */
  isPromoShown: boolean
  terms: string
  thankYouLetter: string
}

/** Stands where no town has been named yet; nothing is said of it then. */
export const NO_CITY = 'Your City'
export const NO_OWNER = 'Owner'

/** What the owner sets beside her conversations (S-180, S-184); no page of visitors carries it. */
export type TalkSettings = {
  /** minutes that a message stays unread before a letter tells of it; 0: none does */
  reminderMinutes: number
  /** first and last day of an absence, 'YYYY-MM-DD' in the shop's time zone, or '' */
  awayFrom: string
  awayUntil: string
  awayText: string
}

/** S-180: what the owner may choose from; 0: no letters. */
export const REMINDER_MINUTES = [0, 5, 15, 30, 60, 240]

export const minutesText = (minutes: number): string =>
  minutes === 0 ? 'Never' : minutes < 60 ? `After ${minutes} minutes` : minutes === 60 ? 'After an hour' : `After ${minutes / 60} hours`
