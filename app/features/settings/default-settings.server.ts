/** Neutral placeholders until the owner fills in her own words. Beside what pages need: nobody's browser has to fetch them. */
import { NO_CITY, NO_OWNER, type ShopSettings, type TalkSettings } from './shop-settings.ts'

export const defaultSettings: ShopSettings = {
  name: 'Knots & Love',
  city: NO_CITY,
  ownerName: NO_OWNER,
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

export const defaultTalkSettings: TalkSettings = { reminderMinutes: 15, awayFrom: '', awayUntil: '', awayText: '' }

/** Every setting that is kept as a row of its own, and so moves with a shop. */
export const everyDefault: ShopSettings & TalkSettings = { ...defaultSettings, ...defaultTalkSettings }
