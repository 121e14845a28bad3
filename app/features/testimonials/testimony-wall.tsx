import { useState } from 'react'
import { Link } from 'react-router'
import { useCurrency } from '#pricing/currency-context.ts'
import { LooseKnot } from '#ui/loose-knot.tsx'
import { Pause, Play } from '#ui/icons.tsx'
import { useCarousel } from '#ui/use-carousel.ts'
import { TestimonyCard } from './testimony-card.tsx'
import css from './testimony-carousel.module.css'
import type { ShownTestimonies, ShownTestimony } from './testimonies.server.ts'
import { rewardText } from './testimony.ts'
import { testimonialsTexts as texts } from './texts.ts'

type TestimoniesProps = ShownTestimonies & { isWall: boolean }

export function Testimonies({ testimonies, page, pages, isWall }: TestimoniesProps) {
  const reward = rewardText(useCurrency())
  if (testimonies.length === 0) {
    return (
      <div className="empty">
        <LooseKnot />
        <p>{texts.empty}</p>
        <a
          className="button quiet"
          href="/gallery/"
        >
          {texts.browseGallery}
        </a>
      </div>
    )
  }
  return (
    <>
      {isWall ? (
        <ul className={`list-none ${css.wall}`}>
          {testimonies.map((testimony) => (
            <li key={testimony.id}>
              <TestimonyCard testimony={testimony} />
            </li>
          ))}
        </ul>
      ) : (
        <TestimonyCarousel testimonies={testimonies} />
      )}
      {isWall && pages > 1 && (
        <WallPages
          page={page}
          pages={pages}
        />
      )}
      <p className="text-soft text-sm text-center">{texts.reward(reward)}</p>
      {(isWall || testimonies.length > 1) && (
        <p className="text-center">
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

const WallPages = ({ page, pages }: Pick<ShownTestimonies, 'page' | 'pages'>) => (
  <nav
    className="row justify-center"
    aria-label={texts.pages}
  >
    {page > 1 && (
      <Link
        className="tap"
        to={`?view=all&page=${page - 1}`}
      >
        {texts.newer}
      </Link>
    )}
    <span className="text-soft">{texts.page(page, pages)}</span>
    {page < pages && (
      <Link
        className="tap"
        to={`?view=all&page=${page + 1}`}
      >
        {texts.older}
      </Link>
    )}
  </nav>
)

const SLIDE_MS = 7000

function TestimonyCarousel({ testimonies: newest }: { testimonies: ShownTestimony[] }) {
  const [frozenList, setFrozenList] = useState<ShownTestimony[] | null>(null)
  const testimonies = frozenList ?? newest
  const count = testimonies.length
  const carousel = useCarousel({
    ids: testimonies.map(({ id }) => `testimony-${id}`),
    every: SLIDE_MS,
  })
  const neighbor = (by: number, label: (name: string) => string, className: string | undefined) => {
    const to = (carousel.at + by + count) % count
    const { writerName, writerPhotoURL } = testimonies[to]!
    return (
      <a
        {...carousel.link(to)}
        className={`grid gap-4 text-center text-soft text-sm no-underline ${css.neighbor} ${className}`}
        aria-label={label(writerName)}
      >
        <img
          className="photo"
          src={writerPhotoURL}
          width={72}
          height={72}
          alt=""
        />
        <span
          className={css.neighborName}
          aria-hidden="true"
        >
          {writerName}
        </span>
      </a>
    )
  }
  return (
    <section
      {...carousel.frame}
      className={`grid gap-4 ${css.carousel}`}
      aria-label={texts.carousel}
    >
      {count > 1 && neighbor(-1, texts.previousWriter, css.before)}
      <div {...carousel.row(css.row)}>
        {testimonies.map((testimony, index) => (
          <div
            key={testimony.id}
            {...carousel.slide(index, css.slide)}
          >
            <TestimonyCard
              testimony={testimony}
              onReading={(isReading) => {
                carousel.holdWhileReading(isReading)
                setFrozenList(isReading ? testimonies : null)
              }}
            />
          </div>
        ))}
      </div>
      {count > 1 && neighbor(1, texts.nextWriter, css.after)}
      {count > 1 && (
        <button
          type="button"
          className={`icon-button ${css.pause}`}
          onClick={carousel.toggle}
          aria-label={carousel.isPaused ? texts.play : texts.pause}
        >
          {carousel.isPaused ? <Play size={20} /> : <Pause size={20} />}
        </button>
      )}
    </section>
  )
}
