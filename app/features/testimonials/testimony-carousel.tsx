/** The testimonies, one at a time, between the photos of the writers before and after (TESTI-01 to TESTI-09). */
import { useState } from 'react'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { Pause, Play } from '#app/ui/icons.tsx'
import { useSlides } from '#app/ui/use-slides.ts'
import { TestimonyCard } from './testimony-card.tsx'
import css from './testimony-carousel.module.css'
import { TURN_EVERY, type ShownTestimony } from './testimony.ts'

export function TestimonyCarousel({ testimonies: newest }: { testimonies: ShownTestimony[] }) {
  // While somebody reads a whole text, nothing is changed around it.
  const [held, setHeld] = useState<ShownTestimony[] | null>(null)
  const testimonies = held ?? newest
  const count = testimonies.length
  const voices = useSlides({ ids: testimonies.map(({ id }) => `testimony-${id}`), every: TURN_EVERY })
  // S-040
  if (count === 0)
    return (
      <div className="empty">
        <LooseKnot />
        <p>No one has written yet. The first knots are being tied.</p>
        <a className="button quiet" href="/gallery/">
          Look through the gallery
        </a>
      </div>
    )
  /** S-042 */
  const neighbour = (by: number, saying: string, className: string | undefined) => {
    const to = (voices.at + by + count) % count
    const { writerName, writerPhotoURL } = testimonies[to]!
    return (
      <a
        {...voices.link(to)}
        className={`stack centered-text soft small undecorated ${css.neighbour} ${className}`}
        aria-label={`${saying}: ${writerName}`}
      >
        <img className="photo" src={writerPhotoURL} width={72} height={72} alt="" />
        <span className={css.neighbourName} aria-hidden="true">
          {writerName}
        </span>
      </a>
    )
  }
  return (
    <section {...voices.frame} className={`stack ${css.carousel}`} aria-label="Testimonials">
      {count > 1 && neighbour(-1, 'Previous writer', css.before)}
      <div {...voices.row(css.row)}>
        {testimonies.map((testimony, index) => (
          <div key={testimony.id} {...voices.slide(index, css.slide)}>
            <TestimonyCard
              testimony={testimony}
              onReading={(isReading) => {
                voices.holdWhileReading(isReading)
                setHeld(isReading ? testimonies : null)
              }}
            />
          </div>
        ))}
      </div>
      {count > 1 && neighbour(1, 'Next writer', css.after)}
      {count > 1 && (
        <button
          type="button"
          className={`icon-button ${css.pause}`}
          onClick={voices.toggle}
          aria-label={voices.isPaused ? 'Play' : 'Pause'}
        >
          {voices.isPaused ? <Play size={20} aria-hidden="true" /> : <Pause size={20} aria-hidden="true" />}
        </button>
      )}
    </section>
  )
}
