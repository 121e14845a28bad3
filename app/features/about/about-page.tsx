import { Link } from 'react-router'
import { Pause, Play } from '#app/ui/icons.tsx'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import { Picture } from '#app/ui/picture.tsx'
import { useCarousel } from '#app/ui/use-carousel.ts'
import type { About, Slide } from './about.server.ts'
import css from './about-page.module.css'
import { aboutTexts as texts } from './texts.ts'

/** Each slide is shown for this many milliseconds. [ABOUT-04] */
const SLIDE_MS = 10_000

type Props = About & { ownerName: string }

export function AboutPage({ intro, slides, ownerName }: Props) {
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{intro}</p>
      <Story slides={slides} />
      {ownerName && <p className={`centered-text ${css.signature}`}>{ownerName}</p>}
      <p className="cluster centered">
        <Link
          className="button"
          to="/gallery/"
        >
          {texts.gallery}
        </Link>
        <Link
          className="button quiet"
          to="/contact/"
        >
          {texts.contact}
        </Link>
      </p>
    </main>
  )
}

function Story({ slides }: { slides: Slide[] }) {
  const story = useCarousel({
    ids: slides.map((_, index) => `slide-${index + 1}`),
    every: SLIDE_MS,
  })
  return (
    <section
      {...story.frame}
      className="stack"
      aria-label={texts.story}
    >
      <div {...story.row()}>
        {slides.map(({ alt, title, message, picture }, index) => (
          <div
            key={index}
            {...story.slide(index, css.slide)}
          >
            {picture ? (
              <Picture
                picture={picture}
                alt={alt}
                sizes="(min-width: 48.0625em) 55vw, 100vw"
                isFirst={index === 0}
                isNext={index === (story.at + 1) % slides.length}
                className={css.picture}
              />
            ) : (
              <div
                className={`in-middle raised ${css.placeholder}`}
                role="img"
                aria-label={alt}
              >
                <KnotMark className={css.mark} />
              </div>
            )}
            <div className={css.words}>
              <h2 className={`accented small ${css.title}`}>{title}</h2>
              <p className={`flush ${css.message}`}>{message}</p>
            </div>
          </div>
        ))}
      </div>
      <div className={`cluster centered ${css.controls}`}>
        <div
          {...story.dots}
          className="cluster centered"
        >
          {slides.map((_, index) => (
            <a
              key={index}
              id={`slide-${index + 1}-dot`}
              {...story.link(index)}
              className={`in-middle round ${css.dot}`}
              aria-label={texts.slide(index + 1)}
              aria-current={index === story.at ? 'true' : undefined}
            />
          ))}
        </div>
        <button
          type="button"
          className="icon-button"
          onClick={story.toggle}
          aria-label={story.isPaused ? texts.play : texts.pause}
        >
          {story.isPaused ? (
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
      </div>
    </section>
  )
}
