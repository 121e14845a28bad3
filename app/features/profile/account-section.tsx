/** One section of the account page: what it is about beside what can be done. */
import type { ReactNode } from 'react'
import css from './account-section.module.css'

type Props = { id: string; title: string; hint?: ReactNode; children: ReactNode }

/** `id` is also the section's anchor. */
export const AccountSection = ({ id, title, hint, children }: Props) => (
  <section className={`card ${css.section}`} id={id} aria-labelledby={`${id}-title`}>
    <div>
      <h2 className={css.title} id={`${id}-title`}>
        {title}
      </h2>
      {hint && <p className={css.hint}>{hint}</p>}
    </div>
    <div className={css.content}>{children}</div>
  </section>
)
