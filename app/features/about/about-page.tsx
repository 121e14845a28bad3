/** The owner's pictures and words, turning every ten seconds. */
import { Pause, Play } from 'lucide-react'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useTurning } from '#app/ui/use-turning.ts'
import css from './about-page.module.css'
import type { Slide } from './slides.server.ts'
import { SLIDE_EVERY } from './slides.ts'

/** `first` is asked for by the address, so that the dots work without script too. */
export function AboutPage({ slides, first }: { slides: Slide[]; first: number }) {
  const { at, show, isPaused, isTurning, toggle, hold } = useTurning(slides.length, SLIDE_EVERY, first)
  return (
    <main className="page" id="main">
      <h1>About</h1>
      <section className={css.slides} aria-roledescription="carousel" aria-label="About the owner" {...hold}>
        <div className={css.frame} aria-live={isTurning ? 'off' : 'polite'}>
          {slides.map(({ path, scene, message, picture }, index) => (
            <article
              key={path}
              className={css.slide}
              aria-roledescription="slide"
              aria-label={`${index + 1} of ${slides.length}`}
              hidden={index !== at}
            >
              {picture ? (
                <Picture
                  picture={picture}
                  alt={scene}
                  sizes="(min-width: 769px) 60vw, 100vw"
                  isFirst={index === first}
                  className={css.picture}
                />
              ) : (
                <div className={css.placeholder} role="img" aria-label={scene}>
                  <KnotMark className={css.mark} />
                </div>
              )}
              <p className={css.message}>{message}</p>
            </article>
          ))}
        </div>
        <div className={css.controls}>
          {slides.map(({ path }, index) => (
            <a
              key={path}
              href={`?slide=${index + 1}`}
              className={css.dot}
              aria-label={`Slide ${index + 1}`}
              aria-current={index === at ? 'true' : undefined}
              onClick={(event) => {
                event.preventDefault()
                show(index)
              }}
            />
          ))}
          <button type="button" className="icon-button" onClick={toggle} aria-label={isPaused ? 'Play' : 'Pause'}>
            {isPaused ? <Play size={20} aria-hidden="true" /> : <Pause size={20} aria-hidden="true" />}
          </button>
        </div>
      </section>
    </main>
  )
}
