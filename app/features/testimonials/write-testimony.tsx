/** The page of a ticket: its writer is greeted and may write, is thanked for having written, or there is no such ticket (TESTI-10 to TESTI-25). */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { LooseKnot } from '#app/ui/cord-line.tsx'
import { testimonyTexts, thanksText, type Ticket, type WriteAnswer } from './testimony.ts'
import { WriteSteps } from './write-steps.tsx'
import css from './write-testimony.module.css'

export function WriteTestimony({ ticket, answer }: { ticket: Ticket; answer: WriteAnswer | undefined }) {
  return (
    <main className={`page ${css.page}`} id="main">
      {ticket.state === 'unknown' ? (
        <>
          <LooseKnot />
          <h1>{testimonyTexts.unknown}</h1>
          <p className="soft">No ticket has this address. If you typed it, look at the card once more: capital letters count.</p>
          <Onward>
            <Link className="button quiet" to="/contact/">
              Ask about your ticket
            </Link>
          </Onward>
        </>
      ) : (
        <>
          <img className={css.photo} src={ticket.writerPhotoURL} width={112} height={112} alt="" />
          {ticket.state === 'taken' ? (
            <>
              <h1>{thanksText(ticket.writerName)}</h1>
              <p className="soft">Your words are with the maker. Mention them with your next order, and $5 come off its price.</p>
              <Onward>
                <Link className="button quiet" to="/testimonials/">
                  Read what others wrote
                </Link>
              </Onward>
            </>
          ) : (
            <>
              <h1>{`Hello, ${ticket.writerName}`}</h1>
              <p className="soft">How do you like what you took home? Your words earn you $5 OFF.</p>
              <WriteSteps answer={answer} />
            </>
          )}
        </>
      )}
    </main>
  )
}

function Onward({ children }: { children: ReactNode }) {
  return (
    <p className={css.onward}>
      <Link className="button" to="/gallery/">
        Look through the gallery
      </Link>
      {children}
    </p>
  )
}
