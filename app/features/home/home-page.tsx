import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Form, href, Link } from 'react-router'
import { firstCharacter } from '#lib/text/first-character.ts'
import { prefetchingLink, takeOverClick } from '#ui/link-props.ts'
import { ResponsiveImage, type ImageView } from '#ui/responsive-image.tsx'
import { Price } from '#pricing/price.tsx'
import { colorName, HOME_COLORS, stockHint } from '#catalog/catalog.ts'
import { ChevronDown, Pause, Play } from '#ui/icons.tsx'
import { useHydrated } from '#ui/redirect-field.tsx'
import { usePrefersReducedMotion } from '#ui/use-prefers-reduced-motion.ts'
import css from './hero.module.css'
import newPiecesCss from './new-pieces.module.css'
import homeColorsCss from './home-colors.module.css'
import promoCss from './promo.module.css'
import headlineCss from './headline.module.css'
import peopleCss from './people.module.css'
import ringCss from './ring.module.css'
import { spreadOnRing, turnTo } from './showcase.ts'
import type { CircleView, Home } from './showcase.server.ts'
import { homeTexts } from './texts.ts'

type HomePageProps = Omit<Home, 'wallpapers'> & {
  wallpaper: ImageView | null
  category: string | null
  isAll: boolean
  /** The newest testimony, if there is one. */
  children?: ReactNode
}

export function HomePage(home: HomePageProps) {
  const { promo } = home.texts
  return (
    <main id="main">
      <Hero {...home} />
      <div className="page">
        {promo && <PromoBanner {...promo} />}
        <NewPieces {...home} />
        <PromoSections {...home} />
        <People maker={home.maker}>{home.children}</People>
        <HomeColors {...home} />
      </div>
    </main>
  )
}

function Hero({ wallpaper, showcase, category, texts }: HomePageProps) {
  return (
    <section
      className={`relative ${css.hero}`}
      aria-label={homeTexts.welcome}
      data-has-wall={wallpaper ? true : undefined}
    >
      <div className={css.wall}>
        {/* The image is at least 28rem wide, but 26rem makes small phones load 750 instead of
            960 pixels. */}
        {wallpaper && (
          <ResponsiveImage
            key={wallpaper.url}
            image={wallpaper}
            alt=""
            sizes="max(100vw, 26rem)"
            isFirst
            className={css.image}
          />
        )}
      </div>
      <Headline
        start={texts.headline}
        words={texts.words}
      >
        <Ring
          circles={showcase}
          category={category}
        />
        <div className={`grid gap-4 text-center ${css.words}`}>
          <Link
            className="button"
            to="/gallery/"
            {...prefetchingLink}
          >
            {homeTexts.gallery}
          </Link>
          <p className={`text-lg m-0 ${css.lead}`}>{texts.lead}</p>
        </div>
      </Headline>
    </section>
  )
}

function NewPieces({ newPieces }: HomePageProps) {
  if (newPieces.length === 0) return null
  return (
    <section
      aria-labelledby="newest"
      className={newPiecesCss.section}
    >
      <h2
        id="newest"
        className={`text-center mb-5 ${newPiecesCss.title}`}
      >
        {homeTexts.newPieces}
      </h2>
      <ul className={`list-none grid gap-4 ${newPiecesCss.row}`}>
        {newPieces.map(({ id, name, priceCents, discount, image }) => (
          <li
            key={id}
            className={`mb-5 relative ${newPiecesCss.piece}`}
          >
            <span className={`bg-raised ${newPiecesCss.frame}`}>
              {image && (
                <ResponsiveImage
                  image={image}
                  alt=""
                  sizes="(min-width: 48.0625em) 18rem, 45vw"
                  className={`size-full ${newPiecesCss.image}`}
                />
              )}
            </span>
            <Link
              to={href('/item/:itemid', { itemid: id })}
              {...prefetchingLink}
              className={`no-underline ${newPiecesCss.name}`}
            >
              {name}
            </Link>
            <Price
              cents={priceCents}
              discount={discount}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

type PeopleProps = Pick<HomePageProps, 'maker' | 'children'>

function People({ maker, children }: PeopleProps) {
  if (!maker && !children) return null
  return (
    <div className={`grid gap-4 ${peopleCss.people}`}>
      {maker && (
        <section
          className={`grid gap-4 ${peopleCss.maker}`}
          aria-labelledby="maker"
        >
          {maker.image && (
            <ResponsiveImage
              image={maker.image}
              alt={maker.alt}
              sizes="(min-width: 48.0625em) 18rem, 92vw"
              className={`w-full ${peopleCss.image}`}
            />
          )}
          <div>
            <h2 id="maker">{homeTexts.maker(maker.name, maker.city)}</h2>
            <p>{maker.text}</p>
            <Link
              className="button quiet"
              to="/about/"
            >
              {homeTexts.aboutMaker}
            </Link>
          </div>
        </section>
      )}
      {children}
    </div>
  )
}

function HomeColors({ colors, isAll }: HomePageProps) {
  if (colors.length === 0) return null
  return (
    <section
      id="colors"
      aria-labelledby="colors-title"
      className={`grid gap-4 ${homeColorsCss.section}`}
    >
      <h2
        id="colors-title"
        className={`text-center m-0 ${homeColorsCss.title}`}
      >
        {homeTexts.colors}
      </h2>
      <ul className={`list-none grid gap-4 w-full ${homeColorsCss.grid}`}>
        {colors.map((color) => (
          <li
            key={color.id}
            className={`text-center text-sm ${homeColorsCss.color}`}
            data-gone={!color.isAvailable || undefined}
          >
            <Link
              to={`/gallery/?color=${encodeURIComponent(color.id)}`}
              {...prefetchingLink}
              className={`flex items-center ${homeColorsCss.link}`}
            >
              <span className={`bg-raised rounded-full ${homeColorsCss.swatch}`}>
                {color.image && (
                  <ResponsiveImage
                    image={color.image}
                    alt=""
                    sizes="(min-width: 48.0625em) 9rem, 28vw"
                  />
                )}
              </span>
              {colorName(color)}
              {stockHint(color) && (
                <span className={`text-soft ${homeColorsCss.hint}`}>{stockHint(color)}</span>
              )}
            </Link>
          </li>
        ))}
      </ul>
      {colors.length >= HOME_COLORS && (
        <Form
          method="get"
          action="/"
          preventScrollReset
          replace
        >
          <button
            className={`button quiet ${homeColorsCss.all}`}
            name={isAll ? undefined : 'colors'}
            value="all"
            aria-expanded={isAll}
          >
            {isAll ? homeTexts.showFewerColors : homeTexts.viewAllColors}
            <ChevronDown size={18} />
          </button>
        </Form>
      )}
    </section>
  )
}

function PromoBanner({ text, to }: { text: string; to: string }) {
  return (
    <aside
      className={`text-center ${promoCss.banner}`}
      aria-label={homeTexts.clearance}
    >
      <p>{to ? <Link to={to}>{text}</Link> : text}</p>
    </aside>
  )
}

const PromoSections = ({ texts, promoImages }: HomePageProps) =>
  texts.sections.map(({ title, text, link, to }, index) => (
    <section
      key={index}
      className={`grid gap-4 ${promoCss.section}`}
      aria-label={title}
    >
      {promoImages[index] && (
        <ResponsiveImage
          image={promoImages[index]}
          alt=""
          sizes="(min-width: 48.0625em) 36rem, 92vw"
          className={`w-full ${promoCss.image}`}
        />
      )}
      <div className={promoCss.words}>
        <h2 className={promoCss.title}>{title}</h2>
        <p>{text}</p>
        <Link
          className="button quiet"
          to={to}
        >
          {link}
        </Link>
      </div>
    </section>
  ))

type HeadlineProps = { children: ReactNode; start: string; words: string[] }

const WORD_MS = 5000

/** The words are no live region, because announcements would interrupt screen readers. */
function Headline({ children, start, words }: HeadlineProps) {
  const [index, setIndex] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const control = useRef<HTMLButtonElement>(null)
  const isCalm = usePrefersReducedMotion() || words.length < 2
  const hasScript = useHydrated()
  const isRunning = !isPaused && !isHovered && !isFocused && !isCalm
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (!document.hidden) setIndex((now) => now + 1)
    }, WORD_MS)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    <div
      className={`grid gap-4 ${css.inside}`}
      onFocus={(event) => setFocused(!control.current?.contains(event.target))}
      onBlur={() => setFocused(false)}
    >
      <div className={`relative ${headlineCss.row}`}>
        <h1
          className={`m-0 ${headlineCss.words}`}
          onPointerEnter={() => setHovered(true)}
          onPointerLeave={() => setHovered(false)}
        >
          {start}{' '}
          <span
            className={`whitespace-nowrap ${headlineCss.word}`}
            key={index}
            data-testid="suffix"
          >
            {words[index % words.length]}
          </span>
        </h1>
        {hasScript && !isCalm && (
          <button
            type="button"
            ref={control}
            className={`icon-button text-soft ${headlineCss.pause}`}
            aria-label={isPaused ? homeTexts.resumeWords : homeTexts.pauseWords}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? <Play size={16} /> : <Pause size={16} />}
          </button>
        )}
      </div>
      {children}
    </div>
  )
}

const CENTER_SIZES = '(min-width: 48.0625em) 17rem, 11rem'

type RingProps = { circles: CircleView[]; category: string | null }

function Ring({ circles, category }: RingProps) {
  const degs = spreadOnRing(circles)
  const start = Math.max(
    0,
    circles.findIndex(({ categoryId }) => categoryId === category),
  )
  const [{ index, turn }, setSelection] = useState({ index: start, turn: degs[start] ?? 0 })
  const selected = circles[index] ?? circles[0]
  if (!selected) return null
  const select = (next: number) =>
    setSelection({ index: next, turn: turnTo(turn, degs[next] ?? 0) })
  return (
    <section
      className={`grid gap-4 relative ${ringCss.showcase}`}
      aria-label={homeTexts.categories}
    >
      <div
        className={`relative ${ringCss.ring}`}
        style={{ '--turn': `${-turn}deg`, '--count': Math.max(8, circles.length) }}
      >
        <ul className="list-none">
          {circles.map((circle, circleIndex) => (
            <li
              key={circle.id}
              className={ringCss.place}
              style={{ '--deg': `${degs[circleIndex]}deg` }}
            >
              <Link
                to={`?category=${encodeURIComponent(circle.categoryId)}`}
                replace
                preventScrollReset
                onClick={(event) => takeOverClick(event) && select(circleIndex)}
                aria-current={circle === selected || undefined}
                aria-label={circle.categoryTitle}
                title={circle.categoryTitle}
                className={`grid place-items-center size-full no-underline bg-raised rounded-full ${ringCss.circle}`}
              >
                {circle.image ? (
                  <ResponsiveImage
                    image={circle.image}
                    alt=""
                    sizes={circle === selected ? CENTER_SIZES : '5rem'}
                    className={`size-full ${ringCss.image}`}
                  />
                ) : (
                  firstCharacter(circle.categoryTitle)
                )}
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to={href('/gallery/:categoryid?', { categoryid: selected.categoryId })}
          {...prefetchingLink}
          className={`bg-raised rounded-full ${ringCss.centre}`}
          aria-label={homeTexts.seeCategory(selected.categoryTitle)}
        >
          {selected.image && (
            <ResponsiveImage
              key={selected.id}
              image={selected.image}
              alt=""
              sizes={CENTER_SIZES}
              isNext
              className={`size-full ${ringCss.image}`}
            />
          )}
        </Link>
      </div>
      <p
        className={`text-center m-0 ${ringCss.caption}`}
        aria-live="polite"
      >
        <span className={ringCss.title}>{selected.title || selected.categoryTitle}</span>
        {selected.title && <span className="text-soft text-sm">{selected.categoryTitle}</span>}
      </p>
    </section>
  )
}
