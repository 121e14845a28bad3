/** What goes with an account and what stays, for whoever is about to delete it. */
import { askedText, goesText, staysText, type Belongings } from './leaving.ts'
import css from './what-goes.module.css'

export function WhatGoes({ belongings, whose = 'your' }: { belongings: Belongings; whose?: 'your' | 'their' }) {
  const [goes, { asked, purchases }] = [goesText(belongings), belongings]
  return (
    <ul className={css.list}>
      <li>{goes ? `This goes at once: the account with ${goes}.` : 'The account goes at once; there is nothing in it.'}</li>
      {asked.length > 0 && <li>{askedText(asked)}</li>}
      {purchases > 0 && <li>{staysText(purchases, whose)}</li>}
      {purchases > 0 && whose === 'your' && (
        <li>Is something of it not in your hands yet? Settle that first: the messages about it go, too.</li>
      )}
    </ul>
  )
}
