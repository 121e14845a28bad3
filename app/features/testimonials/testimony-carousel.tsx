/** The testimonies, one at a time, between the photos of the writers before and after. */
import { Pause, Play } from 'lucide-react'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import { useTurning } from '#app/ui/use-turning.ts'
import css from './testimony-carousel.module.css'
import { testimonyTexts, TURN_EVERY, type ShownTestimony } from './testimony.ts'

/** `first` is asked for by the address, so that stepping works without script too. */
export function TestimonyCarousel({ testimonies, first }: { testimonies: ShownTestimony[]; first: number }) {
  const count = testimonies.length
  const { at, show, isPaused, isTurning, toggle, hold } = useTurning(count, TURN_EVERY, first)
  const current = testimonies[at]
  // S-040
  if (!current)
    return (
      <div className={css.empty}>
        <KnotMark className={css.mark} />
        <p>No one has written yet. The first knots are being tied.</p>
      </div>
    )
  const step = (by: number, saying: string) => {
    const to = (at + by + count) % count
    const { writerName, writerPhotoURL } = testimonies[to]!
    return (
      <a
        href={`?at=${to + 1}`}
        className={css.neighbour}
        aria-label={`${saying}: ${writerName}`}
        onClick={(event) => {
          event.preventDefault()
          show(to)
        }}
      >
        <img src={writerPhotoURL} width={72} height={72} alt="" />
      </a>
    )
  }
  return (
    <section className={css.carousel} aria-roledescription="carousel" aria-label="Testimonials" {...hold}>
      {count > 1 && step(-1, 'Previous writer')}
      <article className={`card ${css.card}`} key={current.id} aria-live={isTurning ? 'off' : 'polite'}>
        <img className={css.photo} src={current.writerPhotoURL} width={112} height={112} alt="" />
        <h2 className={css.name}>{current.writerName}</h2>
        <blockquote className={css.text}>{current.testimony}</blockquote>
        {current.items.length > 0 && (
          <ul role="list" className={css.items} aria-label="Items">
            {current.items.map(({ id, name }) => (
              <li key={id}>
                <a href={`/item/${encodeURIComponent(id)}/`} target="_blank" rel="noopener">
                  {name}
                  <span className="unseen"> (opens in a new tab)</span>
                </a>
              </li>
            ))}
          </ul>
        )}
        <p className={css.reward}>{testimonyTexts.reward}</p>
      </article>
      {count > 1 && step(1, 'Next writer')}
      {count > 1 && (
        <button type="button" className={`icon-button ${css.pause}`} onClick={toggle} aria-label={isPaused ? 'Play' : 'Pause'}>
          {isPaused ? <Play size={20} aria-hidden="true" /> : <Pause size={20} aria-hidden="true" />}
        </button>
      )}
    </section>
  )
}
