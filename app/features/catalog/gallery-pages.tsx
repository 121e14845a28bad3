/** From page to page of a long list, by plain links. */
import { Link } from 'react-router'
import type { GalleryLinks } from './gallery-links.ts'
import css from './gallery-pages.module.css'

export function GalleryPages({ page, steps }: GalleryLinks) {
  if (steps.length === 0) return null
  return (
    <nav aria-label="Pages">
      <ul className={css.pages}>
        {steps.map(({ label, href, rel, name }, at) => (
          <li key={at}>
            {href ? (
              <Link to={href} rel={rel} aria-label={name} aria-current={label === String(page) ? 'page' : undefined}>
                {label}
              </Link>
            ) : (
              label
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}
