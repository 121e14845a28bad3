import { Link, href, Form } from 'react-router'
import { quickLink } from '#app/ui/quick-link.ts'
import { Picture, type PictureView } from '#app/ui/picture.tsx'
import { type ShowcaseView, type NewPiece, HEADLINE, suffixWords, WORD_TIME, placeOnRing, turnTo } from './showcase.ts'
import { Price } from '#app/features/pricing/price.tsx'
import { colorName, stockHint, type Color } from '#app/features/catalog/catalog.ts'
import { ChevronDown, Pause, Play } from '#app/ui/icons.tsx'
import { useEffect, useRef, useState, type ReactNode, type MouseEvent } from 'react'
import { useHasScript } from '#app/ui/back-field.tsx'
import { useCalm } from '#app/ui/use-calm.ts'
import css from './hero.module.css'
import newPiecesCss from './new-pieces.module.css'
import homeColorsCss from './home-colors.module.css'
import promoCss from './promo.module.css'
import headlineCss from './headline.module.css'
import ringCss from './ring.module.css'

type Props = { wallpaper: PictureView | null; records: ShowcaseView[]; category: string | null }

export function Hero({ wallpaper, records, category }: Props) {
  return (
    <section className={`anchor ${css.hero}`} aria-label="Welcome" data-has-wall={wallpaper ? true : undefined}>
      <div className={css.wall}>
        {wallpaper && <Picture key={wallpaper.url} picture={wallpaper} alt="" sizes="max(100vw, 28rem)" isFirst className={css.picture} />}
      </div>
      <Headline className={`stack ${css.inside}`}>
        <Ring records={records} first={category} />
        <div className={`stack centered-text ${css.words}`}>
          <Link className="button" to="/gallery/" {...quickLink}>
            Look through the gallery
          </Link>
          <p className={`large flush ${css.lead}`}>
            Cotton, wood and patience. Every piece is tied by one pair of hands, in the colors that you choose.
          </p>
        </div>
      </Headline>
    </section>
  )
}

export function NewPieces({ pieces }: { pieces: NewPiece[] }) {
  if (pieces.length === 0) return null
  return (
    <section aria-labelledby="newest" className={newPiecesCss.section}>
      <h2 id="newest" className={`centered-text gap-below ${newPiecesCss.title}`}>
        Fresh from the workshop
      </h2>
      <ul className={`bare-list stack ${newPiecesCss.row}`}>
        {pieces.map(({ id, name, priceCents, discount, picture }) => (
          <li key={id} className={`gap-below anchor ${newPiecesCss.piece}`}>
            {/* The name below says what the picture shows. */}
            <span className={`raised ${newPiecesCss.frame}`}>
              {picture && (
                <Picture picture={picture} alt="" sizes="(min-width: 769px) 18rem, 45vw" className={`fill ${newPiecesCss.picture}`} />
              )}
            </span>
            <Link to={href('/item/:itemid', { itemid: id })} {...quickLink} className={`undecorated ${newPiecesCss.name}`}>
              {name}
            </Link>
            <Price cents={priceCents} discount={discount} />
          </li>
        ))}
      </ul>
    </section>
  )
}

export function HomeColors({ colors, isAll }: { colors: Color[]; isAll: boolean }) {
  if (colors.length === 0) return null
  return (
    <section id="colors" aria-labelledby="colors-title" className={`stack ${homeColorsCss.section}`}>
      <h2 id="colors-title" className={`centered-text flush ${homeColorsCss.title}`}>
        Look through our Available Colors
      </h2>
      <ul className={`bare-list stack wide ${homeColorsCss.grid}`}>
        {colors.map((color) => (
          <li key={color.id} className={`aligned centered-text small ${homeColorsCss.color}`} data-gone={!color.isAvailable || undefined}>
            <span className={`raised round ${homeColorsCss.swatch}`}>
              {color.picture && <Picture picture={color.picture} alt="" sizes="(min-width: 769px) 9rem, 28vw" />}
            </span>
            {colorName(color)}
            {stockHint(color) && <span className={`soft ${homeColorsCss.hint}`}>{stockHint(color)}</span>}
          </li>
        ))}
      </ul>
      <Form method="get" action="/" preventScrollReset replace>
        <button className={`button quiet ${homeColorsCss.all}`} name={isAll ? undefined : 'colors'} value="all" aria-expanded={isAll}>
          View All
          <ChevronDown aria-hidden size={18} />
        </button>
      </Form>
    </section>
  )
}

export function PromoBanner() {
  return (
    <aside className={`centered-text ${promoCss.banner}`} aria-label="Clearance">
      <p>
        <strong>50% off everything</strong>, while stocks last
      </p>
    </aside>
  )
}

const sections = [
  {
    title: 'Tied in your colors',
    text: 'Show me your room, name two colors, and I will find the cords that belong there. Most pieces can be made anew in any color on my shelf.',
    link: 'Find your piece',
  },
  {
    title: 'Made slowly, to stay for years',
    text: 'Thick cotton, sanded wood and knots that hold. Nothing is glued, nothing comes from a factory, and everything can be washed, combed and mended.',
    link: 'See what is ready',
  },
] as const

export function PromoSections({ pictures }: { pictures: PictureView[] }) {
  return sections.map(({ title, text, link }, at) => (
    <section key={title} className={`stack ${promoCss.section}`} aria-label={title}>
      {pictures[at] && (
        <Picture picture={pictures[at]} alt="" sizes="(min-width: 769px) 36rem, 92vw" className={`wide ${promoCss.picture}`} />
      )}
      <div className={promoCss.words}>
        <h2 className={promoCss.title}>{title}</h2>
        <p>{text}</p>
        <Link className="button quiet" to="/gallery/">
          {link}
        </Link>
      </div>
    </section>
  ))
}

/**
 * `children` stand below the words; while one of them has the focus, the word waits. The change is not announced: a word every five
 * seconds would talk over whatever else is read, and whoever comes to the headline hears the word that stands there.
 */
function Headline({ children, className }: { children: ReactNode; className?: string }) {
  const [index, setIndex] = useState(0)
  const [isPaused, setPaused] = useState(false)
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const control = useRef<HTMLButtonElement>(null)
  const isCalm = useCalm()
  const hasScript = useHasScript()
  const isRunning = !isPaused && !isHovered && !isFocused && !isCalm
  // The clock is outside React; a hidden tab lets its ticks pass.
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => {
      if (!document.hidden) setIndex((now) => (now + 1) % suffixWords.length)
    }, WORD_TIME)
    return () => clearInterval(timer)
  }, [isRunning])
  return (
    // The control is left out: whoever lets the words change has the focus on it.
    <div className={className} onFocus={(event) => setFocused(!control.current?.contains(event.target))} onBlur={() => setFocused(false)}>
      <div className={`anchor ${headlineCss.row}`}>
        <h1 className={`flush ${headlineCss.words}`} onPointerEnter={() => setHovered(true)} onPointerLeave={() => setHovered(false)}>
          {HEADLINE}{' '}
          <span className={`unbroken ${headlineCss.word}`} key={index} data-testid="suffix">
            {suffixWords[index]}
          </span>
        </h1>
        {hasScript && !isCalm && (
          <button
            type="button"
            ref={control}
            className={`icon-button soft ${headlineCss.pause}`}
            aria-label={isPaused ? 'Let the words change' : 'Pause the changing words'}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? <Play aria-hidden size={16} /> : <Pause aria-hidden size={16} />}
          </button>
        )}
      </div>
      {children}
    </div>
  )
}

const CENTRE = '(min-width: 769px) 17rem, 11rem'

/** `first`: the category that the address asks for; otherwise the first record is chosen (S-020). */
export function Ring({ records, first }: { records: ShowcaseView[]; first: string | null }) {
  const degs = placeOnRing(records)
  const asked = records.findIndex((record) => record.categoryId === first)
  const start = Math.max(0, asked)
  const [{ index, turn }, setChosen] = useState({ index: start, turn: degs[start] ?? 0 })
  const chosen = records[index] ?? records[0]
  if (!chosen) return null
  const choose = (wanted: number) => (event: MouseEvent) => {
    // The link does it without script; with it the ring turns at once. A new tab stays a new tab.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    setChosen({ index: wanted, turn: turnTo(turn, degs[wanted] ?? 0) })
  }
  return (
    <section className={`stack anchor ${ringCss.showcase}`} aria-label="Categories">
      <div className={`anchor ${ringCss.ring}`} style={{ '--turn': `${-turn}deg`, '--count': Math.max(8, records.length) }}>
        <ul className="bare-list">
          {records.map((record, at) => (
            <li key={record.id} className={ringCss.place} style={{ '--deg': `${degs[at]}deg` }}>
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
                  // The chosen one stands in the centre too: one file for both.
                  <Picture
                    picture={record.picture}
                    alt=""
                    sizes={record === chosen ? CENTRE : '5rem'}
                    className={`fill ${ringCss.picture}`}
                  />
                ) : (
                  record.categoryTitle.slice(0, 1)
                )}
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to={href('/gallery/:categoryid?', { categoryid: chosen.categoryId })}
          {...quickLink}
          className={`raised round ${ringCss.centre}`}
          aria-label={`See ${chosen.categoryTitle} in the gallery`}
        >
          {chosen.picture && (
            <Picture key={chosen.id} picture={chosen.picture} alt="" sizes={CENTRE} isNext className={`fill ${ringCss.picture}`} />
          )}
        </Link>
      </div>
      <p className={`centered-text flush ${ringCss.caption}`} aria-live="polite">
        <span className={ringCss.title}>{chosen.title}</span>
        <span className="soft small">{chosen.categoryTitle}</span>
      </p>
    </section>
  )
}
