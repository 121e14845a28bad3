/** The foot of the public pages: Terms and Conditions and the way back up (HOME-15 to HOME-17, S-026). */
import ArrowUp from 'lucide-react/icons/arrow-up'
import { KnotMark } from '#app/features/accounts/knot-mark.tsx'
import { Cord } from '#app/ui/cord.tsx'
import css from './footer.module.css'
import { NO_CITY, type ShopSettings } from './shop-settings.ts'

export function Footer({ settings }: { settings: Pick<ShopSettings, 'name' | 'city' | 'terms'> }) {
  return (
    <footer className={css.footer}>
      <Cord />
      <div className={css.inside}>
        <div className={css.brand}>
          <KnotMark className={css.mark} />
          <p>
            <strong>{settings.name}</strong>
            <span>Knotted by hand{settings.city !== NO_CITY && ` in ${settings.city}`}</span>
          </p>
        </div>
        <section className={css.terms} aria-labelledby="terms">
          <h2 id="terms">Terms and Conditions</h2>
          <p>{settings.terms}</p>
          <p className={css.year}>© 2023 {settings.name}</p>
        </section>
        <a className="button quiet" href="#top">
          <ArrowUp aria-hidden size={18} />
          Back to Top
        </a>
      </div>
    </footer>
  )
}
