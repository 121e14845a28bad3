/** The round photo of a person; the placeholder where there is none (S-009). */
import { PLACEHOLDER_PHOTO } from '#app/features/orders/order.ts'
import css from './person-photo.module.css'

export function PersonPhoto({ photoURL }: { photoURL: string }) {
  return <img className={css.photo} src={photoURL || PLACEHOLDER_PHOTO} alt="" width={44} height={44} loading="lazy" decoding="async" />
}
