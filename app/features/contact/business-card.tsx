/** The maker's card, hung on a cord (CONTACT-06). */
import { AtSign, MapPin, Phone, UserPlus } from 'lucide-react'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import type { ShopSettings } from '#app/features/settings/shop-settings.ts'
import css from './business-card.module.css'

type Props = { settings: Pick<ShopSettings, 'name' | 'ownerName' | 'phone' | 'email' | 'city'> }

export function BusinessCard({ settings: { name, ownerName, phone, email, city } }: Props) {
  return (
    <div className={css.hung}>
      <svg className={css.cord} viewBox="0 0 48 72" width="48" height="72" fill="none" strokeWidth="3.5" aria-hidden="true">
        <path d="M22 0v22M26 0v22" stroke="var(--accent)" />
        <path d="M23 26c-12 9-12 27 1 36M25 26c12 9 12 27-1 36" stroke="var(--accent)" strokeLinecap="round" />
        <path d="M16 19h16M15.500 24h17M17 29h14" stroke="var(--second)" strokeWidth="5" strokeLinecap="round" />
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
