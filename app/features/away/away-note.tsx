/** Tells a customer that the owner is away, above her conversation. */
import type { Away } from './away.ts'
import css from './away-note.module.css'

const lineOf = (ownerName: string, until: string | null): string => `${ownerName} is away ${until ? `until ${until}` : 'for a while'}.`

/** S-185 */
export const AwayNote = ({ away, ownerName }: { away: Away; ownerName: string }) => (
  <p className={css.note}>
    <strong>{lineOf(ownerName, away.until)}</strong> {away.text}
  </p>
)
