import type { ReactNode } from 'react'
import { href, Link } from 'react-router'
import { useMoney } from '#pricing/use-money.ts'
import { ActionForm, SubmitButton, useActionForm } from '#ui/action-form.tsx'
import { Undo2 } from '#ui/owner-icons.tsx'
import { ResponsiveImage } from '#ui/responsive-image.tsx'
import { MoveForm, useReordering } from '#ui/reordering.tsx'
import { SortableList } from '#ui/sortable-list.tsx'
import { actionsAt, READY_PARAMETER, type QueueAction } from './queue.ts'
import type { Queue } from './production-queue.server.ts'
import { queuePageTexts as texts, readyOrderTexts } from './owner-texts.ts'
import css from './queue-page.module.css'

type Piece = Queue['pieces'][number]

export function QueuePage({ pieces, handedOver, isCut, nextReadyDay }: Queue) {
  const list = useReordering(pieces)
  return (
    <main
      className="page"
      id="main"
    >
      <h1>{texts.title}</h1>
      <p className="intro">{texts.intro}</p>
      <p className="text-soft">
        {nextReadyDay ? texts.nextPiece(nextReadyDay) : texts.noPiecesPerWeek}
        <Link to="/manage/settings/#pieces">{texts.piecesPerWeek}</Link>
      </p>
      {pieces.length === 0 && <p className="empty">{texts.none}</p>}
      <SortableList
        className={`list-none grid gap-4 ${css.list}`}
        entryClassName={`card ${css.entry}`}
        label={texts.order}
        items={list.entries}
        onMove={list.move}
        render={(piece, handle) => (
          <PieceRow
            piece={piece}
            handle={handle}
          >
            <MoveForm
              list={list}
              id={piece.id}
              name={piece.name}
              look="icons"
              className={css.move}
            />
          </PieceRow>
        )}
      />
      {isCut && <p className="text-soft">{texts.isCut}</p>}
      {handedOver.length > 0 && (
        <section
          className={css.done}
          aria-labelledby="done"
        >
          <h2 id="done">{texts.done}</h2>
          <p className="text-soft">{texts.doneHint}</p>
          <ul
            role="list"
            className={`list-none grid gap-4 ${css.list}`}
          >
            {handedOver.map((piece) => (
              <li
                key={piece.id}
                className={`flex items-center gap-3 justify-between ${css.past}`}
              >
                <span className="flex flex-col min-w-0">
                  <PieceName {...piece} />
                  <span className="text-sm">
                    <CustomerLink {...piece} />
                    {`, ${piece.handedOver}`}
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

type PieceRowProps = { piece: Piece; handle: ReactNode; children: ReactNode }

function PieceRow({ piece, handle, children }: PieceRowProps) {
  const { step, isSold, color, notes, cord, image, readyBy, isLate } = piece
  return (
    <div className={css.piece}>
      <div className={`flex items-center gap-3 ${css.top}`}>
        {handle}
        {image && (
          <ResponsiveImage
            className={`photo ${css.photo}`}
            image={image}
            alt=""
            sizes="3rem"
          />
        )}
        <div className={`flex flex-col min-w-0 ${css.name}`}>
          <PieceName {...piece} />
          <span className="text-sm">
            <CustomerLink {...piece} />
          </span>
        </div>
      </div>
      {(color || notes) && (
        <p className={`flex items-center gap-3 m-0 ${css.cord}`}>
          {cord?.image && (
            <ResponsiveImage
              className={`photo ${css.swatch}`}
              image={cord.image}
              alt=""
              sizes="1.5rem"
            />
          )}
          <span>
            {[color, notes].filter(Boolean).join(', ')}
            {cord?.hint && <span className={`text-sm ${css.late}`}>{` · ${cord.hint}`}</span>}
          </span>
        </p>
      )}
      <p className={`row m-0 text-sm ${css.when}`}>
        <span
          className={`font-semibold whitespace-nowrap rounded-full ${css.step}`}
          data-step={step}
        >
          <span className="sr-only">{texts.step}</span>
          {isSold && step === 'waiting' ? texts.soldWaiting : texts.steps[step]}
        </span>
        {readyBy && (
          <span>
            {texts.readyBy(readyBy)}
            {isLate && <strong className={css.late}>{` · ${texts.late}`}</strong>}
          </span>
        )}
      </p>
      {piece.openCents > 0 && <TellCustomer {...piece} />}
      <div className="flex items-center gap-3 justify-between">
        <StepButtons {...piece} />
        {children}
      </div>
    </div>
  )
}

type TellCustomerProps = Pick<Piece, 'customer' | 'orderId' | 'offerId' | 'openCents'>

function TellCustomer({ customer, orderId, offerId, openCents }: TellCustomerProps) {
  const money = useMoney()
  return (
    <Link
      className={`tap ${css.tell}`}
      to={`${href('/manage/messages/:orderid?', { orderid: orderId })}?${READY_PARAMETER}=${offerId}`}
    >
      {readyOrderTexts.tell(customer, money(openCents))}
    </Link>
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

function StepButtons({ id, name, step }: Pick<Piece, 'id' | 'name' | 'step'>) {
  const form = useActionForm()
  return (
    <ActionForm
      form={form}
      className={`row ${css.steps}`}
      fields={{ id }}
    >
      {actionsAt(step).map((action, index) => (
        <SubmitButton
          key={index}
          name="intent"
          value={action}
          className={`button ${isBack(action) ? `quiet ${css.back}` : ''}`}
          aria-label={texts.ofPiece(texts.actions[action], name)}
        >
          {isBack(action) && <Undo2 size={18} />}
          <span>{texts.actions[action]}</span>
        </SubmitButton>
      ))}
    </ActionForm>
  )
}

const isBack = (action: QueueAction) => action.startsWith('back')
