/** The five pictures of About, turning (ABOUT-02 to ABOUT-05). */
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useSlides } from '#app/ui/use-slides.ts'
import css from './about-page.module.css'
import type { Slide } from './slides.server.ts'
import { SLIDE_EVERY } from './slides.ts'

export function Story({ slides }: { slides: Slide[] }) {
  const story = useSlides({ ids: slides.map((_, index) => `slide-${index + 1}`), every: SLIDE_EVERY })
  return (
    <section {...story.frame} className={css.story} aria-label="About the owner">
      <div {...story.row} className={css.row}>
        {slides.map(({ path, scene, title, message, picture }, index) => (
          <div key={path} {...story.slide(index)} className={css.slide}>
            {picture ? (
              <Picture picture={picture} alt={scene} sizes="(min-width: 769px) 55vw, 100vw" isFirst={index === 0} className={css.picture} />
            ) : (
              <div className={css.placeholder} role="img" aria-label={scene}>
                <KnotMark className={css.mark} />
              </div>
            )}
            <div className={css.words}>
              <h2 className={css.title}>{title}</h2>
              <p className={css.message}>{message}</p>
            </div>
          </div>
        ))}
      </div>
      <div className={css.controls}>
        <div {...story.dots} className={css.dots}>
          {slides.map(({ path }, index) => (
            <a
              key={path}
              id={`slide-${index + 1}-dot`}
              {...story.link(index)}
              className={css.dot}
              aria-label={`Slide ${index + 1}`}
              aria-current={index === story.at ? 'true' : undefined}
            />
          ))}
        </div>
        <button type="button" className="icon-button" onClick={story.toggle} aria-label={story.isPaused ? 'Play' : 'Pause'}>
          {story.isPaused ? <Play size={20} aria-hidden="true" /> : <Pause size={20} aria-hidden="true" />}
        </button>
      </div>
    </section>
  )
}
