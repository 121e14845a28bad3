/** What goes with an account and what stays, for whoever is about to delete it. */
import { goesText, staysText, type Belongings } from './leaving.ts'

export function WhatGoes({ belongings, whose = 'your' }: { belongings: Belongings; whose?: 'your' | 'their' }) {
  const [goes, { asked }] = [goesText(belongings), belongings]
  return (
    <ul>
      <li>{goes ? `This goes at once: the account with ${goes}.` : 'The account goes at once; there is nothing in it.'}</li>
      {asked.length > 0 && <li>{`What is asked for is withdrawn: ${asked.join(', ')}.`}</li>}
      {belongings.purchases > 0 && <li>{staysText(belongings.purchases, whose)}</li>}
    </ul>
  )
}
