import { Cord } from '#app/ui/cord.tsx'
import { ArrowUp } from '#app/ui/icons.tsx'
import css from './footer.module.css'
import { KnotMark } from './knot-mark.tsx'
import { frameTexts as texts } from '../texts.ts'

/** `tagline` is an empty string if the owner has removed the tagline. */
type Props = { shop: { name: string; tagline: string; terms: string } }

export function Footer({ shop: { name, tagline, terms } }: Props) {
  return (
    <footer className={`wide no-print ${css.footer}`}>
      <Cord />
      <div className={`stack ${css.inside}`}>
        <div className={`cluster ${css.brand}`}>
          <KnotMark className={`rigid ${css.mark}`} />
          <p>
            <strong>{name}</strong>
            {tagline && <span>{tagline}</span>}
          </p>
        </div>
        <div className={css.terms}>
          <details className="fold arrow">
            <summary>
              <h2 className="flush">{texts.terms}</h2>
            </summary>
            <p>{terms}</p>
          </details>
          <p className="flush">{texts.copyright(name)}</p>
        </div>
        <a
          className="button quiet"
          href="#top"
        >
          <ArrowUp
            aria-hidden
            size={18}
          />
          {texts.backToTop}
        </a>
      </div>
    </footer>
  )
}
