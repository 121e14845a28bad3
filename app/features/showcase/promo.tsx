/** Home's clearance banner and its two sections about the work (HOME-08 to HOME-10, S-022, S-023). */
import { Link } from 'react-router'
import { Picture, type PictureView } from '#app/ui/picture.tsx'
import css from './promo.module.css'

/** S-142: a text only; prices change through discounts. */
export function PromoBanner() {
  return (
    <aside className={css.banner} aria-label="Clearance">
      <p>
        <strong>50% off everything</strong>, while stocks last
      </p>
    </aside>
  )
}

const sections = [
  {
    title: 'Tied in your colors',
    text: 'Show me your room, name two colors, and I will find the cords that belong there. Most pieces can be made anew in any color on my shelf.',
    link: 'Find your piece',
  },
  {
    title: 'Made slowly, to stay for years',
    text: 'Thick cotton, sanded wood and knots that hold. Nothing is glued, nothing comes from a factory, and everything can be washed, combed and mended.',
    link: 'See what is ready',
  },
] as const

/** The words are fixed; the pictures come from the catalogue. */
export function PromoSections({ pictures }: { pictures: PictureView[] }) {
  return sections.map(({ title, text, link }, at) => (
    <section key={title} className={css.section} aria-label={title}>
      {pictures[at] && <Picture picture={pictures[at]} alt="" sizes="(min-width: 769px) 36rem, 92vw" className={css.picture} />}
      <div className={css.words}>
        <h2 className={css.title}>{title}</h2>
        <p>{text}</p>
        <Link className="button quiet" to="/gallery/">
          {link}
        </Link>
      </div>
    </section>
  ))
}
