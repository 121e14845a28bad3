import { Cord } from '#app/ui/cord.tsx'
import { ArrowUp } from '#app/ui/icons.tsx'
import css from './footer.module.css'
import { KnotMark } from './knot-mark.tsx'
import { frameTexts as texts } from '../texts.ts'

/** `city` is '' if the owner has not set one. */
type Props = { shop: { name: string; city: string; terms: string } }

export function Footer({ shop: { name, city, terms } }: Props) {
  return (
    <footer className={`wide ${css.footer}`}>
      <Cord />
      <div className={`stack ${css.inside}`}>
        <div className={`cluster ${css.brand}`}>
          <KnotMark className={`rigid ${css.mark}`} />
          <p>
            <strong>{name}</strong>
            <span>{texts.handmade(city)}</span>
          </p>
        </div>
        <section className={css.terms} aria-labelledby="terms">
          <h2 id="terms">{texts.terms}</h2>
          <p>{terms}</p>
          <p className={css.year}>{texts.copyright(name)}</p>
        </section>
        <a className="button quiet" href="#top">
          <ArrowUp aria-hidden size={18} />
          {texts.backToTop}
        </a>
      </div>
    </footer>
  )
}
