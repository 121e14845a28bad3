import { useState } from 'react'
import { LooseKnot } from '#app/ui/cord-drawing.tsx'
import { Pause, Play } from '#app/ui/icons.tsx'
import { useCarousel } from '#app/ui/use-carousel.ts'
import { TestimonyCard } from './testimony-card.tsx'
import css from './testimony-carousel.module.css'
import { SLIDE_MS, type ShownTestimony } from './testimony.ts'
import { testimonialsTexts as texts } from './texts.ts'

export function TestimonyCarousel({ testimonies: newest }: { testimonies: ShownTestimony[] }) {
  // While a visitor reads the full text of a testimony, the carousel ignores new testimonies.
  const [held, setHeld] = useState<ShownTestimony[] | null>(null)
  const testimonies = held ?? newest
  const count = testimonies.length
  const carousel = useCarousel({
    ids: testimonies.map(({ id }) => `testimony-${id}`),
    every: SLIDE_MS,
  })
  if (count === 0)
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
  const neighbor = (by: number, label: (name: string) => string, className: string | undefined) => {
    const to = (carousel.at + by + count) % count
    const { writerName, writerPhotoURL } = testimonies[to]!
    return (
      <a
        {...carousel.link(to)}
        className={`stack centered-text soft small undecorated ${css.neighbor} ${className}`}
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
      className={`stack ${css.carousel}`}
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
                setHeld(isReading ? testimonies : null)
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
          {carousel.isPaused ? (
            <Play
              size={20}
              aria-hidden="true"
            />
          ) : (
            <Pause
              size={20}
              aria-hidden="true"
            />
          )}
        </button>
      )}
    </section>
  )
}
