import type { ReactNode } from 'react'
import { href, Link, useFetcher } from 'react-router'
import type { ActionResult } from '#app/ui/action-result.ts'
import { HiddenFields } from '#app/ui/form-fields.tsx'
import { ArrowDown, ArrowUp, Undo2 } from '#app/ui/icons.tsx'
import { completeSequence, sequenceFromForm } from '#app/ui/list-order.ts'
import { Picture } from '#app/ui/picture.tsx'
import { moveItem, SortableList } from '#app/ui/sortable-list.tsx'
import { useActionToasts } from '#app/ui/toasts.tsx'
import { actionsAt, type QueueAction } from './queue.ts'
import type { Queue } from './queue-page.server.ts'
import { queuePageTexts as texts } from './owner-texts.ts'
import css from './queue-page.module.css'

type Piece = Queue['pieces'][number]

export function QueuePage({ pieces, handedOver, isCut, nextReadyDay }: Queue) {
  const ordering = useFetcher<ActionResult>()
  const present = pieces.map(({ id }) => id)
  // The page shows the new sequence of the pieces already while the server saves this sequence.
  const order = completeSequence(present, sequenceFromForm(ordering.formData, present))
  const shown = order.map((id) => pieces.find((piece) => piece.id === id)!)
  const save = (next: string[]) => {
    const form = new FormData()
    form.set('intent', 'order')
    for (const id of next) form.append('order', id)
    void ordering.submit(form, { method: 'post' })
  }
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <p className="soft">
        {nextReadyDay ? texts.nextPiece(nextReadyDay) : texts.noPiecesPerWeek}
        <Link to="/manage/settings/#pieces">{texts.piecesPerWeek}</Link>
      </p>
      {pieces.length === 0 && <p className="empty">{texts.none}</p>}
      <SortableList
        className={`bare-list stack ${css.list}`}
        entryClassName={`card ${css.entry}`}
        label={texts.order}
        items={shown}
        onMove={(from, to) => save(moveItem(order, from, to))}
        render={(piece, handle, index) => (
          <PieceRow
            piece={piece}
            handle={handle}
          >
            <ordering.Form
              method="post"
              className={`row ${css.move}`}
            >
              <HiddenFields
                intent="move"
                id={piece.id}
              />
              <MoveButton
                by="up"
                name={piece.name}
                isEnd={index === 0}
              />
              <MoveButton
                by="down"
                name={piece.name}
                isEnd={index === shown.length - 1}
              />
            </ordering.Form>
          </PieceRow>
        )}
      />
      {isCut && <p className="soft">{texts.isCut}</p>}
      {handedOver.length > 0 && (
        <section
          className={css.done}
          aria-labelledby="done"
        >
          <h2 id="done">{texts.done}</h2>
          <p className="soft">{texts.doneHint}</p>
          <ul
            role="list"
            className={`bare-list stack ${css.list}`}
          >
            {handedOver.map((piece) => (
              <li
                key={piece.id}
                className={`row apart ${css.past}`}
              >
                <span className="column slim">
                  <PieceName {...piece} />
                  <span className="small">
                    <CustomerLink {...piece} />
                    {`, ${texts.handedOver(piece.handedOver)}`}
                    {piece.isUnsold && (
                      <>
                        {'. '}
                        <Link
                          to={`${href('/manage/messages/:orderid?', { orderid: piece.orderId })}?view=order`}
                        >
                          {texts.completeSale}
                        </Link>
                      </>
                    )}
                  </span>
                </span>
                <StepButtons {...piece} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  )
}

function PieceRow({
  piece,
  handle,
  children,
}: {
  piece: Piece
  handle: ReactNode
  children: ReactNode
}) {
  const { step, isSold, color, notes, cord, picture, readyBy, isLate } = piece
  return (
    <div className={css.piece}>
      <div className={`row ${css.top}`}>
        {handle}
        {picture && (
          <Picture
            className={`photo ${css.photo}`}
            picture={picture}
            alt=""
            sizes="3rem"
          />
        )}
        <div className={`column slim ${css.name}`}>
          <PieceName {...piece} />
          <span className="small">
            <CustomerLink {...piece} />
          </span>
        </div>
      </div>
      {(color || notes) && (
        <p className={`row flush ${css.cord}`}>
          {cord?.picture && (
            <Picture
              className={`photo ${css.swatch}`}
              picture={cord.picture}
              alt=""
              sizes="1.5rem"
            />
          )}
          <span>
            {[color, notes].filter(Boolean).join(', ')}
            {cord?.hint && <span className={`small ${css.late}`}>{` · ${cord.hint}`}</span>}
          </span>
        </p>
      )}
      <p className={`cluster flush small ${css.when}`}>
        <span
          className={`strong unbroken round ${css.step}`}
          data-step={step}
        >
          <span className="visually-hidden">{texts.step}</span>
          {isSold && step === 'waiting' ? texts.soldWaiting : texts.steps[step]}
        </span>
        {readyBy && (
          <span>
            {texts.readyBy(readyBy)}
            {isLate && <strong className={css.late}>{` · ${texts.late}`}</strong>}
          </span>
        )}
      </p>
      <div className={`row apart ${css.bottom}`}>
        <StepButtons {...piece} />
        {children}
      </div>
    </div>
  )
}

const PieceName = ({ name, quantity }: Pick<Piece, 'name' | 'quantity'>) => (
  <strong>
    {quantity > 1 && `${texts.quantity(quantity)} `}
    {name}
  </strong>
)

const CustomerLink = ({ customer, orderId }: Pick<Piece, 'customer' | 'orderId'>) => (
  <>
    {texts.customer}
    <Link
      to={href('/manage/messages/:orderid?', { orderid: orderId })}
      dir="auto"
    >
      {customer}
    </Link>
  </>
)

/** Shows the buttons of a piece. The button for the next step is first, so that it keeps the focus when the owner moves the piece several steps. */
function StepButtons({ id, name, step }: Pick<Piece, 'id' | 'name' | 'step'>) {
  const fetcher = useFetcher<ActionResult>()
  useActionToasts(fetcher.data)
  const isPending = fetcher.state !== 'idle'
  return (
    <fetcher.Form
      method="post"
      className={`cluster ${css.steps}`}
    >
      <HiddenFields id={id} />
      {actionsAt(step).map((action, at) => (
        <button
          key={at}
          name="intent"
          value={action}
          className={`button ${isBack(action) ? `quiet ${css.back}` : ''}`}
          aria-disabled={isPending}
          aria-label={texts.ofPiece(texts.actions[action], name)}
        >
          {isBack(action) && <Undo2 size={18} />}
          <span>{texts.actions[action]}</span>
        </button>
      ))}
    </fetcher.Form>
  )
}

const isBack = (action: QueueAction): boolean => action.startsWith('back')

/** Moves a piece up or down the list, for owners who cannot drag. The button works by keyboard, by touch and without JavaScript. */
function MoveButton({ by, name, isEnd }: { by: 'up' | 'down'; name: string; isEnd: boolean }) {
  const Arrow = by === 'up' ? ArrowUp : ArrowDown
  return (
    <button
      className="icon-button"
      name="by"
      value={by}
      aria-disabled={isEnd || undefined}
      aria-label={texts.ofPiece(texts.move[by], name)}
    >
      <Arrow size={20} />
    </button>
  )
}
