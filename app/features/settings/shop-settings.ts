/** The shop's own words and addresses (S-029): neutral placeholders until the owner fills them in. */

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

export const defaultSettings: ShopSettings = {
  name: 'Knots & Love',
  city: NO_CITY,
  ownerName: 'Owner',
  email: 'owner@example.com',
  phone: '555 010 0000',
  facebookHandle: '@knotsandlove',
  facebookUrl: 'https://www.facebook.com/knotsandlove',
  instagramHandle: '@knotsandlove',
  instagramUrl: 'https://www.instagram.com/knotsandlove',
  isPromoShown: true,
  terms:
    'Every piece is made by hand, so small differences in colour and size are part of it. A price is agreed in the conversation before work begins. Pieces can be returned within 14 days, unless they were made to your own measure.',
  thankYouLetter:
    'Thank you for letting something made by my hands into your home. Every knot in it was tied for you, with care and with joy. If anything is not as you hoped, write to me and I will make it right.',
}

/** What the owner sets beside her conversations (S-180, S-184); no page of visitors carries it. */
export type TalkSettings = {
  /** minutes that a message stays unread before a letter tells of it; 0: none does */
  reminderMinutes: number
  /** first and last day of an absence, 'YYYY-MM-DD' in the shop's time zone, or '' */
  awayFrom: string
  awayUntil: string
  awayText: string
}

export const defaultTalkSettings: TalkSettings = { reminderMinutes: 15, awayFrom: '', awayUntil: '', awayText: '' }

/** Every setting that is kept as a row of its own, and so moves with a shop. */
export const everyDefault: ShopSettings & TalkSettings = { ...defaultSettings, ...defaultTalkSettings }
