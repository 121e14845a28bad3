import { Link } from 'react-router'
import { Pause, Play } from '#ui/icons.tsx'
import { KnotMark } from '#ui/layout/knot-mark.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { useCarousel } from '#ui/use-carousel.ts'
import type { About } from './about.server.ts'
import css from './about-page.module.css'
import { aboutTexts as texts } from './texts.ts'

const SLIDE_MS = 10_000

type AboutPageProps = About & { ownerName: string }

export function AboutPage({ intro, slides, ownerName }: AboutPageProps) {
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{intro}</p>
      <Story slides={slides} />
      {ownerName && <p className={`text-center ${css.signature}`}>{ownerName}</p>}
      <p className="row justify-center">
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

function Story({ slides }: Pick<About, 'slides'>) {
  const story = useCarousel({
    ids: slides.map((_, index) => `slide-${index + 1}`),
    every: SLIDE_MS,
  })
  return (
    <section
      {...story.frame}
      className="grid gap-4"
      aria-label={texts.story}
    >
      <div {...story.row()}>
        {slides.map(({ alt, title, message, image }, index) => (
          <div
            key={index}
            {...story.slide(index, css.slide)}
          >
            {image ? (
              <ResponsiveImage
                image={image}
                alt={alt}
                sizes="(min-width: 48.0625em) 55vw, 100vw"
                isFirst={index === 0}
                isNext={index === (story.at + 1) % slides.length}
                className={css.image}
              />
            ) : (
              <div
                className={`grid place-items-center bg-raised ${css.placeholder}`}
                role="img"
                aria-label={alt}
              >
                <KnotMark className={css.mark} />
              </div>
            )}
            <div className={css.words}>
              <h2 className={`text-accent text-sm ${css.title}`}>{title}</h2>
              <p className={`m-0 ${css.message}`}>{message}</p>
            </div>
          </div>
        ))}
      </div>
      <div className={`row justify-center ${css.controls}`}>
        <div
          {...story.dots}
          className="row justify-center"
        >
          {slides.map((_, index) => (
            <a
              key={index}
              id={`slide-${index + 1}-dot`}
              {...story.link(index)}
              className={`grid place-items-center rounded-full ${css.dot}`}
              aria-label={texts.slide(index + 1)}
              aria-current={index === story.at || undefined}
            />
          ))}
        </div>
        <button
          type="button"
          className="icon-button"
          onClick={story.toggle}
          aria-label={story.isPaused ? texts.play : texts.pause}
        >
          {story.isPaused ? <Play size={20} /> : <Pause size={20} />}
        </button>
      </div>
    </section>
  )
}
