/** The round photo of a person; the placeholder where there is none (S-009). */
import { photoOf } from '#app/features/profile/shown-photo.ts'
import css from './person-photo.module.css'

export function PersonPhoto({ photoURL }: { photoURL: string }) {
  return <img className={css.photo} src={photoOf(photoURL)} alt="" width={44} height={44} loading="lazy" decoding="async" />
}
