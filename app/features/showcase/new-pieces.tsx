/** A row of the newest pieces on Home: whoever came to look is one step from a piece. */
import { href, Link } from 'react-router'
import { Price } from '#app/features/money/price.tsx'
import { swift } from '#app/ui/swift.ts'
import { Picture } from '#app/ui/picture.tsx'
import css from './new-pieces.module.css'
import type { NewPiece } from './showcase.ts'

export function NewPieces({ pieces }: { pieces: NewPiece[] }) {
  if (pieces.length === 0) return null
  return (
    <section aria-labelledby="newest" className={css.section}>
      <h2 id="newest" className={css.title}>
        Fresh from the workshop
      </h2>
      <ul className={css.row}>
        {pieces.map(({ id, name, priceCents, discount, picture }) => (
          <li key={id} className={css.piece}>
            {/* The name below says what the picture shows. */}
            <span className={css.frame}>
              {picture && <Picture picture={picture} alt="" sizes="(min-width: 769px) 18rem, 45vw" className={css.picture} />}
            </span>
            <Link to={href('/item/:itemid', { itemid: id })} {...swift()} className={css.name}>
              {name}
            </Link>
            <Price cents={priceCents} discount={discount} />
          </li>
        ))}
      </ul>
    </section>
  )
}
