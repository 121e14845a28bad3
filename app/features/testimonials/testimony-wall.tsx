import { Link } from 'react-router'
import { useCurrency } from '#app/features/pricing/currency-context.ts'
import { TestimonyCard } from './testimony-card.tsx'
import { TestimonyCarousel } from './testimony-carousel.tsx'
import css from './testimony-carousel.module.css'
import { rewardText, type ShownTestimony } from './testimony.ts'
import { testimonialsTexts as texts } from './texts.ts'

/** Shows the testimonies in a carousel, one at a time, or on a wall, all at once. [OWN-103] */
export function Testimonies({
  testimonies,
  isWall,
}: {
  testimonies: ShownTestimony[]
  isWall: boolean
}) {
  const reward = rewardText(useCurrency())
  if (testimonies.length === 0) return <TestimonyCarousel testimonies={testimonies} />
  return (
    <>
      {isWall ? (
        <ul className={`bare-list ${css.wall}`}>
          {testimonies.map((testimony) => (
            <li key={testimony.id}>
              <TestimonyCard testimony={testimony} />
            </li>
          ))}
        </ul>
      ) : (
        <TestimonyCarousel testimonies={testimonies} />
      )}
      <p className="soft small centered-text">{texts.reward(reward)}</p>
      {(isWall || testimonies.length > 1) && (
        <p className="centered-text">
          <Link
            className="button quiet"
            to={isWall ? '/testimonials/' : '?view=all'}
            preventScrollReset
          >
            {isWall ? texts.asCarousel : texts.asWall}
          </Link>
        </p>
      )}
    </>
  )
}
