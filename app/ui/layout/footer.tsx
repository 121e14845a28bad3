import { Cord } from '#ui/cord.tsx'
import { ArrowUp } from '#ui/icons.tsx'
import css from './footer.module.css'
import { KnotMark } from './knot-mark.tsx'
import { frameTexts as texts } from '../texts.ts'

type FooterProps = {
  shop: { name: string; tagline: string; terms: string; links: string[][]; delivery: string }
}

export function Footer({ shop: { name, tagline, terms, links, delivery } }: FooterProps) {
  return (
    <footer className={`w-full no-print ${css.footer}`}>
      <Cord />
      <div className={`grid gap-4 ${css.inside}`}>
        <div className={`row ${css.brand}`}>
          <KnotMark className={`flex-none ${css.mark}`} />
          <p>
            <strong>{name}</strong>
            {tagline && <span>{tagline}</span>}
          </p>
        </div>
        <div className={css.terms}>
          <p className={`row ${css.links}`}>
            {links.map(([label, address]) => (
              <a
                key={label}
                href={address}
              >
                {label}
              </a>
            ))}
          </p>
          {delivery && <p>{delivery}</p>}
          <details className="fold arrow">
            <summary>
              <h2 className={`m-0 ${css.heading}`}>{texts.terms}</h2>
            </summary>
            <p>{terms}</p>
          </details>
          <p className="m-0">{texts.copyright(name)}</p>
        </div>
        <a
          className="button quiet"
          href="#top"
        >
          <ArrowUp size={18} />
          {texts.backToTop}
        </a>
      </div>
    </footer>
  )
}
