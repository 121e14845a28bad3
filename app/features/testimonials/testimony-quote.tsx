import { Link } from 'react-router'
import css from './testimony-quote.module.css'
import type { ShownTestimony } from './testimonies.server.ts'
import { quoteTexts as texts } from './texts.ts'

export const TestimonyQuote = ({ testimony }: { testimony: ShownTestimony }) => (
  <section
    className={`card grid gap-4 ${css.quote}`}
    aria-label={texts.title}
  >
    <blockquote
      className={`m-0 ${css.text}`}
      dir="auto"
    >
      {testimony.testimony}
    </blockquote>
    <p className="flex items-center gap-3 m-0">
      <img
        className="photo"
        src={testimony.writerPhotoURL}
        width={48}
        height={48}
        alt=""
        loading="lazy"
      />
      <strong>{testimony.writerName}</strong>
    </p>
    <Link
      className="tap"
      to="/testimonials/"
    >
      {texts.more}
    </Link>
  </section>
)
