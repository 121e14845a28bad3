import { Link, href, Form } from 'react-router'
import { firstCharacter } from '#app/lib/text/first-character.ts'
import { prefetchingLink } from '#app/ui/link-props.ts'
import { Picture, type PictureView } from '#app/ui/picture.tsx'
import { type ShowcaseView, type NewPiece, WORD_MS, spreadOnRing, turnTo } from './showcase.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { colorName, HOME_COLORS, stockHint, type Color } from '#app/features/catalog/catalog.ts'
import { ChevronDown, Pause, Play } from '#app/ui/icons.tsx'
import { useEffect, useRef, useState, type ReactNode, type MouseEvent } from 'react'
import { useHydrated } from '#app/ui/redirect-field.tsx'
import { usePrefersReducedMotion } from '#app/ui/use-prefers-reduced-motion.ts'
import css from './hero.module.css'
import newPiecesCss from './new-pieces.module.css'
import homeColorsCss from './home-colors.module.css'
import promoCss from './promo.module.css'
import headlineCss from './headline.module.css'
import ringCss from './ring.module.css'
import type { HomeView } from './home-texts.ts'
import { clearanceTexts, heroTexts, homeColorsTexts, newPiecesTexts } from './texts.ts'

type HeroProps = {
  wallpaper: PictureView | null
  records: ShowcaseView[]
  category: string | null
  texts: HomeView
}

type Props = {
  showcase: ShowcaseView[]
  colors: Color[]
  isAll: boolean
  newPieces: NewPiece[]
  promoPictures: (PictureView | null)[]
  wallpaper: PictureView | null
  category: string | null
  texts: HomeView
}

export function HomePage({
  showcase,
  colors,
  isAll,
  newPieces,
  promoPictures,
  wallpaper,
  category,
  texts,
}: Props) {
  return (
    <main id="main">
      <Hero
        wallpaper={wallpaper}
        records={showcase}
        category={category}
        texts={texts}
      />
      <div className="page">
        {texts.promo && <PromoBanner {...texts.promo} />}
        <NewPieces pieces={newPieces} />
        <PromoSections
          sections={texts.sections}
          pictures={promoPictures}
        />
        <HomeColors
          colors={colors}
          isAll={isAll}
        />
      </div>
    </main>
  )
}

function Hero({ wallpaper, records, category, texts }: HeroProps) {
  return (
    <section
      className={`anchor ${css.hero}`}
      aria-label={heroTexts.section}
      data-has-wall={wallpaper ? true : undefined}
    >
      <div className={css.wall}>
        {/* The wallpaper is at least 28rem wide, but 26rem lets small phones load the image of 750 instead of 960 pixels, which looks the same. */}
        {wallpaper && (
          <Picture
            key={wallpaper.url}
            picture={wallpaper}
            alt=""
            sizes="max(100vw, 26rem)"
            isFirst
            className={css.picture}
          />
        )}
      </div>
      <Headline
        start={texts.headline}
        words={texts.words}
      >
        <Ring
          records={records}
          first={category}
        />
        <div className={`stack centered-text ${css.words}`}>
          <Link
            className="button"
            to="/gallery/"
            {...prefetchingLink}
          >
            {heroTexts.gallery}
          </Link>
          <p className={`large flush ${css.lead}`}>{texts.lead}</p>
        </div>
      </Headline>
    </section>
  )
}

function NewPieces({ pieces }: { pieces: NewPiece[] }) {
  if (pieces.length === 0) return null
  return (
    <section
      aria-labelledby="newest"
      className={newPiecesCss.section}
    >
      <h2
        id="newest"
        className={`centered-text gap-below ${newPiecesCss.title}`}
      >
        {newPiecesTexts.title}
      </h2>
      <ul className={`bare-list stack ${newPiecesCss.row}`}>
        {pieces.map(({ id, name, priceCents, discount, picture }) => (
          <li
            key={id}
            className={`gap-below anchor ${newPiecesCss.piece}`}
          >
            {/* The image needs no alternative text, because the item's name is below it. */}
            <span className={`raised ${newPiecesCss.frame}`}>
              {picture && (
                <Picture
                  picture={picture}
                  alt=""
                  sizes="(min-width: 48.0625em) 18rem, 45vw"
                  className={`fill ${newPiecesCss.picture}`}
                />
              )}
            </span>
            <Link
              to={href('/item/:itemid', { itemid: id })}
              {...prefetchingLink}
              className={`undecorated ${newPiecesCss.name}`}
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

function HomeColors({ colors, isAll }: { colors: Color[]; isAll: boolean }) {
  if (colors.length === 0) return null
  return (
    <section
      id="colors"
      aria-labelledby="colors-title"
      className={`stack ${homeColorsCss.section}`}
    >
      <h2
        id="colors-title"
        className={`centered-text flush ${homeColorsCss.title}`}
      >
        {homeColorsTexts.title}
      </h2>
      <ul className={`bare-list stack wide ${homeColorsCss.grid}`}>
        {colors.map((color) => (
          <li
            key={color.id}
            className={`centered-text small ${homeColorsCss.color}`}
            data-gone={!color.isAvailable || undefined}
          >
            <Link
              to={`/gallery/?color=${encodeURIComponent(color.id)}`}
              {...prefetchingLink}
              className={`aligned ${homeColorsCss.link}`}
            >
              <span className={`raised round ${homeColorsCss.swatch}`}>
                {color.picture && (
                  <Picture
                    picture={color.picture}
                    alt=""
                    sizes="(min-width: 48.0625em) 9rem, 28vw"
                  />
                )}
              </span>
              {colorName(color)}
              {stockHint(color) && (
                <span className={`soft ${homeColorsCss.hint}`}>{stockHint(color)}</span>
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
            {isAll ? homeColorsTexts.showFewer : homeColorsTexts.viewAll}
            <ChevronDown
              aria-hidden
              size={18}
            />
          </button>
        </Form>
      )}
    </section>
  )
}

function PromoBanner({ text, to }: { text: string; to: string }) {
  return (
    <aside
      className={`centered-text ${promoCss.banner}`}
      aria-label={clearanceTexts.banner}
    >
      <p>{to ? <Link to={to}>{text}</Link> : text}</p>
    </aside>
  )
}

function PromoSections({
  sections,
  pictures,
}: {
  sections: HomeView['sections']
  pictures: Props['promoPictures']
}) {
  return sections.map(({ title, text, link, to }, at) => (
    <section
      key={at}
      className={`stack ${promoCss.section}`}
      aria-label={title}
    >
      {pictures[at] && (
        <Picture
          picture={pictures[at]}
          alt=""
          sizes="(min-width: 48.0625em) 36rem, 92vw"
          className={`wide ${promoCss.picture}`}
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
}

/** The last word of the headline changes every five seconds, but not while a link in the hero has the focus. Screen readers do not announce the new words, because constant announcements would interrupt the visitor. */
function Headline({
  children,
  start,
  words,
}: {
  children: ReactNode
  start: string
  words: string[]
}) {
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
    // The words keep changing while the pause button has the focus. Otherwise they would stay stopped after the visitor has pressed Play.
    <div
      className={`stack ${css.inside}`}
      onFocus={(event) => setFocused(!control.current?.contains(event.target))}
      onBlur={() => setFocused(false)}
    >
      <div className={`anchor ${headlineCss.row}`}>
        <h1
          className={`flush ${headlineCss.words}`}
          onPointerEnter={() => setHovered(true)}
          onPointerLeave={() => setHovered(false)}
        >
          {start}{' '}
          <span
            className={`unbroken ${headlineCss.word}`}
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
            className={`icon-button soft ${headlineCss.pause}`}
            aria-label={isPaused ? heroTexts.resumeWords : heroTexts.pauseWords}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? (
              <Play
                aria-hidden
                size={16}
              />
            ) : (
              <Pause
                aria-hidden
                size={16}
              />
            )}
          </button>
        )}
      </div>
      {children}
    </div>
  )
}

const CENTER_SIZES = '(min-width: 48.0625em) 17rem, 11rem'

/** `first` is the category in the URL, or null. If no circle has this category, the first circle is selected. [S-020] */
function Ring({ records, first }: { records: ShowcaseView[]; first: string | null }) {
  const degs = spreadOnRing(records)
  const requested = records.findIndex((record) => record.categoryId === first)
  const start = Math.max(0, requested)
  const [{ index, turn }, setChosen] = useState({ index: start, turn: degs[start] ?? 0 })
  const chosen = records[index] ?? records[0]
  if (!chosen) return null
  const choose = (next: number) => (event: MouseEvent) => {
    // With JavaScript, a click turns the ring without an HTTP request. With a modifier key, the browser opens the link in a new browser tab instead.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setChosen({ index: next, turn: turnTo(turn, degs[next] ?? 0) })
  }
  return (
    <section
      className={`stack anchor ${ringCss.showcase}`}
      aria-label={heroTexts.categories}
    >
      <div
        className={`anchor ${ringCss.ring}`}
        style={{ '--turn': `${-turn}deg`, '--count': Math.max(8, records.length) }}
      >
        <ul className="bare-list">
          {records.map((record, at) => (
            <li
              key={record.id}
              className={ringCss.place}
              style={{ '--deg': `${degs[at]}deg` }}
            >
              <Link
                to={`?category=${encodeURIComponent(record.categoryId)}`}
                replace
                preventScrollReset
                onClick={choose(at)}
                aria-current={record === chosen ? 'true' : undefined}
                aria-label={record.categoryTitle}
                title={record.categoryTitle}
                className={`in-middle fill undecorated raised round ${ringCss.circle}`}
              >
                {record.picture ? (
                  // The center of the ring also shows the image of the selected circle. With the same `sizes`, the browser loads one file for the circle and the center.
                  <Picture
                    picture={record.picture}
                    alt=""
                    sizes={record === chosen ? CENTER_SIZES : '5rem'}
                    className={`fill ${ringCss.picture}`}
                  />
                ) : (
                  firstCharacter(record.categoryTitle)
                )}
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to={href('/gallery/:categoryid?', { categoryid: chosen.categoryId })}
          {...prefetchingLink}
          className={`raised round ${ringCss.centre}`}
          aria-label={heroTexts.seeCategory(chosen.categoryTitle)}
        >
          {chosen.picture && (
            <Picture
              key={chosen.id}
              picture={chosen.picture}
              alt=""
              sizes={CENTER_SIZES}
              isNext
              className={`fill ${ringCss.picture}`}
            />
          )}
        </Link>
      </div>
      <p
        className={`centered-text flush ${ringCss.caption}`}
        aria-live="polite"
      >
        <span className={ringCss.title}>{chosen.title || chosen.categoryTitle}</span>
        {chosen.title && <span className="soft small">{chosen.categoryTitle}</span>}
      </p>
    </section>
  )
}
