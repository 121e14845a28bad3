import { Link, useFetcher } from 'react-router'
import { KnotMark } from '#app/ui/layout/knot-mark.tsx'
import type { Answer } from '#app/ui/answer.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { momentText } from '#app/ui/moments.ts'
import { useAnswerToasts } from '#app/ui/toasts.tsx'
import css from './moderation-page.module.css'
import { type Moderation, isBlank, possibleActs, stateOf } from './testimony.ts'
import type { Voices } from './testimonies.server.ts'
import { TestimonyItems } from './testimony-card.tsx'

type Props = Voices & { timeZone: string }

export function ModerationPage({ voices, waiting, shown, openTickets, page, pages, timeZone }: Props) {
  // One for all, since a card changes its place when it has been looked at.
  const fetcher = useFetcher<Answer>()
  useAnswerToasts(fetcher.data)
  const row = (voice: Voice) => <VoiceCard key={voice.id} voice={voice} timeZone={timeZone} fetcher={fetcher} />
  const [fresh, seen] = [voices.filter((voice) => !voice.isValidated), voices.filter((voice) => voice.isValidated)]
  return (
    <main className="page" id="main">
      <h1>Testimonials</h1>
      {voices.length === 0 ? (
        <Empty openTickets={openTickets} />
      ) : (
        <>
          <p className="soft">
            {waiting === 0 ? 'Nothing waits for you.' : waiting === 1 ? '1 waits to be looked at.' : `${waiting} wait to be looked at.`}{' '}
            {shown === 1 ? '1 is shown' : `${shown} are shown`} on <Link to="/testimonials/">the Testimonials page</Link>.{' '}
            {openTickets > 0 && `${openTickets} ${openTickets === 1 ? 'ticket is' : 'tickets are'} still out.`}
          </p>
          {fresh.length > 0 && (
            <section className={css.part} aria-labelledby="waiting">
              <h2 id="waiting">Waiting</h2>
              <ul role="list" className="stack">
                {fresh.map(row)}
              </ul>
            </section>
          )}
          {seen.length > 0 && (
            <section className={css.part} aria-labelledby="seen">
              <h2 id="seen">Looked at</h2>
              <ul role="list" className="stack">
                {seen.map(row)}
              </ul>
            </section>
          )}
          {pages > 1 && (
            <nav className="cluster centered" aria-label="Pages">
              {page > 1 && (
                <Link className="tap" to={`?page=${page - 1}`}>
                  Newer
                </Link>
              )}
              <span className="soft">{`Page ${page} of ${pages}`}</span>
              {page < pages && (
                <Link className="tap" to={`?page=${page + 1}`}>
                  Older
                </Link>
              )}
            </nav>
          )}
        </>
      )}
    </main>
  )
}

function Empty({ openTickets }: { openTickets: number }) {
  return (
    <div className="empty">
      <KnotMark className={css.mark} />
      <p>
        No one has written yet.{' '}
        {openTickets === 0
          ? 'Print a Testimony Ticket with a receipt, and your buyer can.'
          : `${openTickets} ${openTickets === 1 ? 'ticket is' : 'tickets are'} still out.`}
      </p>
      <Link className="button quiet" to="/manage/sales/">
        To the sales
      </Link>
    </div>
  )
}

const labels: Record<Moderation, string> = { validate: 'Validate', show: 'Show', hide: 'Hide' }

type Voice = Voices['voices'][number]
type CardProps = { voice: Voice; timeZone: string; fetcher: ReturnType<typeof useFetcher<Answer>> }

function VoiceCard({ voice, timeZone, fetcher }: CardProps) {
  const { id, writerName, writerEmail, writerPhotoURL, testimony, items, writtenAt } = voice
  const isBusy = fetcher.state !== 'idle' && fetcher.formData?.get('id') === id
  const state = stateOf(voice)
  return (
    <li className={`card stack ${css.voice}`} data-busy={isBusy || undefined}>
      <img className="photo" src={writerPhotoURL} width={56} height={56} alt="" loading="lazy" />
      <div className={css.who}>
        <h3 className={`flush ${css.name}`}>{writerName}</h3>
        <p className="soft">{`${writerEmail} · ${momentText(writtenAt, timeZone)}`}</p>
      </div>
      <p className={`small strong flush round ${css.state}`} data-state={state}>
        {state}
      </p>
      <div className={css.text}>
        {isBlank(testimony) ? <p className="soft">Left blank. It cannot be shown.</p> : <blockquote>{testimony}</blockquote>}
        <TestimonyItems items={items} />
      </div>
      <fetcher.Form method="post" className={`cluster ${css.acts}`}>
        <HiddenFields id={id} />
        {possibleActs(voice).map((act) => (
          <button
            key={act}
            className={act === 'show' ? 'button' : 'button quiet'}
            name="intent"
            value={act}
            aria-label={`${labels[act]} what ${writerName} wrote`}
            aria-disabled={isBusy}
          >
            {labels[act]}
          </button>
        ))}
      </fetcher.Form>
    </li>
  )
}
