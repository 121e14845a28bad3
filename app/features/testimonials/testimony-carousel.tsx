/** The testimonies, one at a time, between the photos of the writers before and after (TESTI-01 to TESTI-09). */
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { useSlides } from '#app/ui/use-slides.ts'
import type { Pressed, Pressing } from '#app/ui/use-turning.ts'
import { TestimonyCard } from './testimony-card.tsx'
import css from './testimony-carousel.module.css'
import { TURN_EVERY, type ShownTestimony } from './testimony.ts'

export function TestimonyCarousel({ testimonies: newest }: { testimonies: ShownTestimony[] }) {
  // While somebody reads a whole text, nothing is changed around it.
  const [held, setHeld] = useState<ShownTestimony[] | null>(null)
  const testimonies = held ?? newest
  const pressing = useState<Pressed>(null)
  const focusedRef = useRef(-1)
  const [read, setRead] = useState({ id: testimonies[0]?.id, index: 0 })
  // S-040
  if (testimonies.length === 0)
    return (
      <div className={css.empty}>
        <LooseKnot />
        <p>No one has written yet. The first knots are being tied.</p>
        <a className="button quiet" href="/gallery/">
          Look through the gallery
        </a>
      </div>
    )
  // Where the owner shows or hides one meanwhile, the one being read stays; if it is the hidden one, the next takes its place.
  const found = testimonies.findIndex(({ id }) => id === read.id)
  const first = found === -1 ? Math.min(read.index, testimonies.length - 1) : found
  // The library looks at its slides once, so another list of them is another carousel.
  const list = testimonies.map(({ id }) => id).join(' ')
  return (
    <Turning
      key={list}
      testimonies={testimonies}
      first={first}
      pressing={pressing}
      focusedRef={focusedRef}
      onTurn={(index) => setRead({ id: testimonies[index]?.id, index })}
      onReading={(isReading) => setHeld(isReading ? testimonies : null)}
    />
  )
}

type Props = {
  testimonies: ShownTestimony[]
  first: number
  pressing: Pressing
  focusedRef: RefObject<number>
  onTurn: (to: number) => void
  onReading: (isReading: boolean) => void
}

function Turning({ testimonies, first, pressing, focusedRef, onTurn, onReading }: Props) {
  const count = testimonies.length
  const [start] = useState(first)
  const voices = useSlides({ ids: testimonies.map(({ id }) => `testimony-${id}`), every: TURN_EVERY, first: start, pressing, onTurn })
  const frame = useKeptFocus(focusedRef)
  /** S-042 */
  const neighbour = (by: number, saying: string, className: string | undefined) => {
    const to = (voices.at + by + count) % count
    const { writerName, writerPhotoURL } = testimonies[to]!
    return (
      <a {...voices.link(to)} className={`${css.neighbour} ${className}`} aria-label={`${saying}: ${writerName}`}>
        <img src={writerPhotoURL} width={72} height={72} alt="" />
        <span className={css.neighbourName} aria-hidden="true">
          {writerName}
        </span>
      </a>
    )
  }
  return (
    <section {...voices.frame} ref={frame} className={css.carousel} aria-label="Testimonials">
      {count > 1 && neighbour(-1, 'Previous writer', css.before)}
      <div {...voices.row} className={css.row}>
        {testimonies.map((testimony, index) => (
          <div key={testimony.id} {...voices.slide(index)} className={css.slide}>
            <TestimonyCard
              testimony={testimony}
              onReading={(isReading) => {
                voices.holdWhileReading(isReading)
                onReading(isReading)
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

/** Another list is another carousel: whoever was at a control of the one before is at the same one of this. */
function useKeptFocus(focusedRef: RefObject<number>) {
  const frame = useRef<HTMLElement>(null)
  // The focus is the document's.
  useLayoutEffect(() => {
    const section = frame.current!
    const controls = () => [css.row, css.before, css.after, css.pause].map((name) => section.querySelector<HTMLElement>(`.${name}`))
    // A control that is no longer there hands it to the row.
    if (focusedRef.current !== -1) (controls()[focusedRef.current] ?? controls()[0])?.focus({ preventScroll: true })
    focusedRef.current = -1
    return () => {
      focusedRef.current = controls().findIndex((control) => control?.contains(document.activeElement))
    }
  }, [focusedRef])
  return frame
}
