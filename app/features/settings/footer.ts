import type { ShopSettings } from './shop-settings.ts'
import { footerTexts as texts } from './texts.ts'

export const footerOf = ({
  email,
  phone,
  facebook,
  instagram,
  shipsFrom,
  returns,
}: ShopSettings) => ({
  links: [
    [texts.contact, '/contact/'],
    [email, `mailto:${email}`],
    [phone, `tel:${phone.replaceAll(/[^\d+]/g, '')}`],
    [facebook && texts.facebook, facebook],
    [instagram && texts.instagram, instagram],
  ].filter(([label]) => label !== ''),
  delivery: [shipsFrom && texts.shipsFrom(shipsFrom), returns].filter(Boolean).join(' · '),
})
