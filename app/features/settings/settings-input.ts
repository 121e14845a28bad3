/** What the owner may write into the settings. */
import { z } from 'zod'
import type { ShopSettings } from './shop-settings.ts'

const line = (name: string, max = 100) =>
  z.string().trim().min(1, `Please fill in the ${name}`).max(max, `Please keep the ${name} under ${max} characters`)
const text = (name: string) => line(name, 10_000)
const address = (name: string) =>
  line(name, 300).refine((typed) => /^https:\/\//.test(typed) && URL.canParse(typed), `Please give the ${name} as https://…`)

export const SettingsInput = z.object({
  name: line('name'),
  city: line('city'),
  ownerName: line("owner's name"),
  email: z.string().trim().max(254, 'Please provide a valid Email').pipe(z.email('Please provide a valid Email')),
  phone: line('phone number', 40),
  facebookHandle: line('Facebook handle'),
  facebookUrl: address('Facebook page'),
  instagramHandle: line('Instagram handle'),
  instagramUrl: address('Instagram page'),
  isPromoShown: z.boolean(),
  terms: text('Terms and Conditions'),
  thankYouLetter: text('thank-you letter'),
}) satisfies z.ZodType<ShopSettings>
