/** The maker's card, hung on a cord (CONTACT-06). */
import { AtSign, MapPin, Phone, UserPlus } from 'lucide-react'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import css from './business-card.module.css'

type Props = { settings: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'> }

export function BusinessCard({ settings: { name, ownerName, phone, email, city } }: Props) {
  return (
    <div className={css.hung}>
      <svg className={css.cord} viewBox="0 0 80 56" width="80" height="56" fill="none" strokeLinecap="round" aria-hidden="true">
        <path d="M34 0c0 16-9 18-9 32 0 9 7 14 15 14s15-5 15-14c0-14-9-16-9-32" stroke="var(--accent)" strokeWidth="5" />
        <path d="M28 21c8 5 16 5 24 0" stroke="var(--second)" strokeWidth="5" />
      </svg>
      <address className={css.card} aria-label="Business card">
        <span className={css.hole} aria-hidden="true" />
        <KnotMark className={css.mark} />
        <strong className={css.shop}>{name}</strong>
        <span className={css.maker}>{ownerName}</span>
        <ul role="list" className={css.lines}>
          <li>
            <Phone size={18} aria-hidden="true" />
            <a href={`tel:${phone.replace(/[^\d+]/g, '')}`}>{phone}</a>
          </li>
          <li>
            <AtSign size={18} aria-hidden="true" />
            <a href={`mailto:${email}`}>{email}</a>
          </li>
          <li>
            <MapPin size={18} aria-hidden="true" />
            <span>{city}</span>
          </li>
        </ul>
      </address>
      <a className={`button quiet ${css.save}`} href="/contact/card.vcf" download>
        <UserPlus size={18} aria-hidden="true" />
        Save to my contacts
      </a>
    </div>
  )
}
